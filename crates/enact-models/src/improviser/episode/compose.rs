//! What the character says and does in one turn.

use enact_drama::{
    dice::Dice,
    episode::{CompletionMode, EpisodeCondition, EpisodeView, NarrativeBeat},
};

use super::{
    directive::{Performance, SpeechAct},
    facts::{SheetFacts, longest_content_word, role_of, things_of},
    heard::UserLine,
    lines::{LineUse, LineValues, Register, pick},
    manner,
    sentences::{SaidSoFar, words},
};

/// In an episode without a budget a question that is open is settled after so many turns.
const TURNS_WITHOUT_BUDGET: u32 = 12;
/// A gesture goes with an answer except once in so many times.
const STILL_ONE_IN: usize = 3;
/// A question follows an answer except once in so many times.
const NO_HOOK_ONE_IN: usize = 4;

/// An answer, before it is written down.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Composed {
    pub(super) action: Option<String>,
    pub(super) dialogue: String,
    pub(super) mood: String,
    pub(super) tension_shift: f64,
    pub(super) internal: String,
}

pub(super) fn compose(view: &EpisodeView, dice: &mut Dice) -> Composed {
    let user = UserLine::read(&view.message);
    let register = Register::of(&view.setup.template);
    let mut turn = TurnDraft {
        view,
        register,
        values: values(view, &user, dice),
        said: SaidSoFar::before(view),
        action: None,
        user,
    };
    // In a mystery people speak of violence; of their own despair they never speak in play.
    let stops_playing =
        turn.user.heard.help.is_some() && (register != Register::Mystery || turn.user.heard.despairs);
    if stops_playing {
        turn.take_care(dice);
    } else {
        turn.play(dice);
    }
    let answered_by = if stops_playing { LineUse::Care } else { turn.user.answered_by };
    let action = match turn.action.take() {
        None if stops_playing => None,
        None if !turn.said.dialogue().is_empty() && dice.one_in(STILL_ONE_IN) => None,
        None => manner::gesture(view, register, dice),
        action => action,
    };
    Composed {
        action,
        dialogue: turn.said.dialogue(),
        mood: manner::mood(view, register, answered_by, dice),
        tension_shift: manner::tension_shift(view, answered_by),
        internal: manner::thought(view, dice),
    }
}

/// What the placeholders stand for.
fn values(view: &EpisodeView, user: &UserLine, dice: &mut Dice) -> LineValues {
    let mut values = LineValues::default();
    values.set("topic", user.heard.topic.clone());
    let asked =
        || longest_content_word(&user.words).filter(|_| user.answered_by == LineUse::Question).cloned();
    values.set("word", user.heard.word.clone().or_else(asked));
    values.set("loss", user.heard.topic.clone().filter(|topic| topic.starts_with("your ")));
    values.set("name", Some(view.setup.character.display.clone()));
    values.set("role", role_of(&view.setup.character.sheet));
    values.set("thing", dice.pick(&things_of(&view.setup.template.situation)).cloned());
    values.set("help", user.heard.help.and_then(|help| dice.pick(help)).cloned());
    values
}

/// An answer that is being made.
struct TurnDraft<'a> {
    view: &'a EpisodeView,
    user: UserLine,
    register: Register,
    values: LineValues,
    said: SaidSoFar,
    action: Option<String>,
}

impl TurnDraft<'_> {
    /// One line of this use, if any is left.
    fn say(&mut self, line_use: LineUse, dice: &mut Dice) -> bool {
        let line = pick(self.register, line_use, &self.values, &self.said, dice);
        line.is_some_and(|line| self.said.say(&line))
    }

    /// Somebody may be in danger: that is more than a game, and is said so as often as it is needed.
    fn take_care(&mut self, dice: &mut Dice) {
        if !self.say(LineUse::Care, dice) {
            let all: Vec<String> = super::lines::PLAIN
                .get(&LineUse::Care)
                .into_iter()
                .flat_map(|lines| lines.iter().filter_map(|line| self.values.fill(line)))
                .collect();
            if let Some(line) = dice.pick(&all) {
                self.said.say_as_it_stands(line);
            }
        }
    }

    fn play(&mut self, dice: &mut Dice) {
        match Performance::of(self.view) {
            Some(performance) => self.perform(performance, dice),
            None if self.must_settle() => {
                self.react(dice);
                self.say(LineUse::Resolve, dice);
            }
            None => self.talk(dice),
        }
    }

    /// Does what the director asks for.
    fn perform(&mut self, performance: Performance, dice: &mut Dice) {
        let Performance { action, speech, act } = performance;
        let cue = self.view.directive.as_ref().map(|directive| directive.cue.as_str()).unwrap_or_default();
        let is_again = self.view.asked_before.iter().any(|asked| asked == cue);
        if is_again {
            // It was done, and what it waits for has not come.
            if self.user.comes_first() || !self.say(LineUse::Press, dice) {
                self.react(dice);
            }
        } else {
            self.action = action;
            match speech.filter(|speech| !self.said.has_said(speech)) {
                Some(speech) => {
                    let has_room = self.said.has_room_for(&speech);
                    let aside = match self.user.answered_by {
                        answered_by if has_room && self.user.comes_first() => {
                            self.say(answered_by, dice);
                            None
                        }
                        LineUse::Sad => Some(LineUse::SadAside),
                        LineUse::Love => Some(LineUse::LoveAside),
                        LineUse::Name => Some(LineUse::NameAside),
                        LineUse::WhatAreYou => Some(LineUse::HonestAside),
                        _ if has_room && self.user.wants_answer() => {
                            self.say(LineUse::Bridge, dice);
                            None
                        }
                        LineUse::Question => Some(LineUse::Aside),
                        _ => None,
                    };
                    let aside =
                        aside.and_then(|aside| pick(self.register, aside, &self.values, &self.said, dice));
                    match aside {
                        Some(aside) => self.said.say_as_it_stands(&format!("{aside} {speech}")),
                        None => self.said.say_as_it_stands(&speech),
                    }
                }
                None => {
                    self.react(dice);
                    match act {
                        SpeechAct::Tells => self.say(LineUse::Told, dice),
                        SpeechAct::Asks => self.say(LineUse::Asked, dice),
                        SpeechAct::None => false,
                    };
                }
            }
        }
        self.say_what_is_waited_for(dice);
    }

    /// A moment that is seen by what the character says needs one of the words that are looked for.
    fn say_what_is_waited_for(&mut self, dice: &mut Dice) {
        let Some(directive) = &self.view.directive else { return };
        let cue = self.view.setup.template.cues.iter().find(|cue| cue.id == directive.cue);
        let Some(EpisodeCondition::Said(phrases)) = cue.map(|cue| &cue.landed) else { return };
        let line = format!(" {} ", words(&self.said.dialogue()).join(" "));
        if phrases.iter().any(|phrase| line.contains(&format!(" {} ", words(phrase).join(" ")))) {
            return;
        }
        self.values.set("phrase", phrases.first().cloned());
        let about = pick(self.register, LineUse::About, &self.values, &self.said, dice);
        match about {
            Some(about) => self.said.say_as_it_stands(&about),
            None => self.said.say_as_it_stands(&phrases[0]),
        }
    }

    /// Takes up what the user said, tells something, keeps the talk going.
    fn talk(&mut self, dice: &mut Dice) {
        self.react(dice);
        // What was taken up is not asked for as well.
        self.values.forget("topic");
        let remaining = self.view.setup.template.turns_remaining(self.view.turn);
        let limited = self.view.setup.template.turn_limit().is_some();
        if limited && remaining == Some(0) {
            self.say(LineUse::Closing, dice);
        } else if !self.user.comes_first()
            && self.user.answered_by != LineUse::Farewell
            && self.said.has_room()
            && !self.said.ends_with_question()
            && !dice.one_in(NO_HOOK_ONE_IN)
        {
            self.say(LineUse::Hook, dice);
        }
    }

    /// One thing said to what the user said: a fact where one was asked for, else a line.
    fn react(&mut self, dice: &mut Dice) {
        let answered_by = self.user.answered_by;
        let uses = match answered_by {
            LineUse::Question if self.tell_what_fits(dice) => return,
            LineUse::Question if self.can_ask_back() => [LineUse::AskBack, LineUse::Question],
            LineUse::Long if dice.one_in(2) && self.tell_what_fits(dice) => return,
            LineUse::Short => [LineUse::Short, LineUse::Minimal],
            LineUse::Minimal => [LineUse::Minimal, LineUse::Short],
            LineUse::Rushing => [LineUse::Rushing, LineUse::Short],
            LineUse::Greeting | LineUse::Farewell | LineUse::Warm | LineUse::Sad | LineUse::Rude => {
                [answered_by, LineUse::Statement]
            }
            other => [other, LineUse::Statement],
        };
        let said = uses.into_iter().any(|line_use| self.say(line_use, dice));
        // Whoever has run out of answers tells something, or asks.
        if !said && !self.tell_fact(dice) {
            self.say(LineUse::Hook, dice);
        }
    }

    /// Tells something that answers the message: of the character, or of where the two are.
    fn tell_what_fits(&mut self, dice: &mut Dice) -> bool {
        let own = SheetFacts::of(&self.view.setup);
        if let Some(fact) = own.about(&self.user.words, |fact| self.said.takes(fact)) {
            return self.tell(fact, dice);
        }
        let around = SheetFacts::of_situation(&self.view.setup);
        let fact = around.about(&self.user.words, |fact| self.said.takes(fact));
        fact.is_some_and(|fact| self.said.say(fact))
    }

    /// Tells something of the character that was not told before, whatever the message was about.
    fn tell_fact(&mut self, dice: &mut Dice) -> bool {
        let own = SheetFacts::of(&self.view.setup);
        let fact = own.any(|fact| self.said.takes(fact));
        fact.is_some_and(|fact| self.tell(fact, dice))
    }

    fn tell(&mut self, fact: &str, dice: &mut Dice) -> bool {
        self.values.set("fact", Some(fact.to_owned()));
        self.say(LineUse::Fact, dice)
    }

    /// Whether there is something in the message to ask about.
    fn can_ask_back(&self) -> bool {
        self.values.has("topic") || self.values.has("word")
    }

    /// Whether the episode waits for words that settle it, and it is time for them.
    fn must_settle(&self) -> bool {
        let template = &self.view.setup.template;
        let waits = template.completion_mode == CompletionMode::BeatGated
            && (template.require_resolution || template.required_beat == NarrativeBeat::Resolution);
        let last = template.turn_budget.unwrap_or(TURNS_WITHOUT_BUDGET);
        waits && self.view.turn >= last
    }
}
