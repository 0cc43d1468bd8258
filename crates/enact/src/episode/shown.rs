//! A session as it is seen in a terminal, fact by fact.

use std::sync::{Arc, PoisonError};

use enact_drama::{
    Fact,
    episode::{EpisodeEvent, EpisodeSetup, report::ResultCard},
};

use super::{
    live::LiveAnswer,
    play::{InputState, Offered},
};
use crate::screen::{BOLD, Screen, Show};

/// A session as it is seen in a terminal.
pub(super) struct ShownEpisode {
    pub(super) input: InputState,
    /// Whether the session waits for the user, and no line was asked for yet.
    pub(super) waits: bool,
    /// Whether all that is wanted is another evaluation.
    pub(super) evaluates: bool,
    /// Where answers stand already when they are whole.
    pub(super) live: Option<Arc<LiveAnswer>>,
    pub(super) setup: Option<Arc<EpisodeSetup>>,
    /// The end that came true.
    pub(super) ending: Option<String>,
}

impl Show for ShownEpisode {
    type Event = EpisodeEvent;

    fn show(&mut self, fact: &Fact<EpisodeEvent>, screen: &Screen) -> bool {
        match &fact.event {
            EpisodeEvent::EpisodeBegan { setup } => {
                self.setup = Some(Arc::clone(setup));
                opening(setup, screen);
                self.hear(&setup.template.opening_line);
                self.offer(Offered::Starters(setup.template.starter_prompts.clone()));
                self.waits = true;
            }
            EpisodeEvent::MessageReceived { text, .. } => {
                self.offer(Offered::Nothing);
                self.waits = false;
                if !screen.is_interactive() {
                    screen.say(&format!("> {text}\n"));
                }
            }
            EpisodeEvent::Answered { answer, .. } => {
                self.hear(&answer.dialogue);
                let content = answer.content();
                if !self.stands(&content) {
                    screen.say(&format!("{content}\n"));
                }
            }
            EpisodeEvent::AnswerFailed { error, last: true, .. } => {
                self.stands("");
                screen.whisper(&format!("(no answer: {error}; say it again)\n"));
            }
            EpisodeEvent::MessageRefused { .. } => {
                screen.whisper("(that cannot be chosen now)\n");
                self.waits = true;
            }
            EpisodeEvent::ChoiceOffered { choice, .. } => {
                screen.say(&format!("{BOLD}{}{BOLD:#}", choice.prompt));
                for (at, option) in choice.options.iter().enumerate() {
                    screen.say(&format!("  {}) {}", at + 1, option.label));
                }
                screen.say("");
                self.offer(Offered::Choice(choice.clone()));
            }
            EpisodeEvent::Suggested { suggestion, .. } => {
                screen.whisper(&format!("({})\n", next_text(&suggestion.told())));
            }
            EpisodeEvent::Completed { ending, .. } => self.ending.clone_from(ending),
            EpisodeEvent::Evaluated { evaluation, suggestion, .. } => {
                // Nothing more can be said, even where the run waits for a better evaluation.
                if !self.evaluates {
                    self.input.ready = None;
                }
                if let Some(setup) = &self.setup {
                    result_card(&ResultCard::of(setup, evaluation, self.ending.as_deref()), screen);
                }
                if let Some(suggestion) = suggestion {
                    screen.whisper(&format!("{}\n", next_text(&suggestion.told())));
                }
            }
            EpisodeEvent::Settled {} | EpisodeEvent::Forked { .. } => self.waits = true,
            EpisodeEvent::Ended { .. } => self.input.ready = None,
            _ => {}
        }
        false
    }

    /// After everything that came together: a session that is resumed tells all that has happened first.
    fn shown(&mut self) {
        if std::mem::take(&mut self.waits)
            && let Some(ready) = &self.input.ready
        {
            // The thread that reads may have come to the end of input.
            let _ = ready.send(());
        }
    }
}

impl ShownEpisode {
    fn hear(&self, said: &str) {
        said.clone_into(&mut self.input.heard.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether an answer was shown word by word, and is what it turned out to be.
    fn stands(&self, content: &str) -> bool {
        self.live.as_ref().is_some_and(|live| live.finish(content))
    }

    fn offer(&self, offered: Offered) {
        *self.input.offered.lock().unwrap_or_else(PoisonError::into_inner) = offered;
    }
}

fn opening(setup: &EpisodeSetup, screen: &Screen) {
    let template = &setup.template;
    let place = setup.place_in_series().map(|place| format!(" · {place}")).unwrap_or_default();
    screen.say(&format!("{BOLD}{}{BOLD:#}{place}", template.title));
    let by = setup.models.get(&setup.model).map_or("", |card| card.description.as_str());
    screen.whisper(&format!("  {} is played by: {by}", setup.character.display));
    screen.say(&format!("\n{}\n", template.situation));
    if let Some(question) = &template.dramatic_question {
        screen.whisper(&format!("{question}\n"));
    }
    if !template.opening_line.is_empty() {
        screen.say(&format!("{}\n", template.opening_line));
    }
    for (at, prompt) in template.starter_prompts.iter().enumerate() {
        screen.whisper(&format!("  {}) {prompt}", at + 1));
    }
    screen.say("");
}

/// What the episode came to.
fn result_card(card: &ResultCard, screen: &Screen) {
    let line = "─".repeat(40);
    screen.say(&line);
    screen.say(&format!("{BOLD}{}{BOLD:#}", card.title));
    for text in [&card.tagline, &card.text, &card.emotional_arc].into_iter().flatten() {
        screen.say(text);
    }
    for (what, found) in [("Found out", &card.clues), ("Ruled out", &card.cleared)] {
        if !found.is_empty() {
            screen.say(&format!("{what}: {}", found.join(", ")));
        }
    }
    if let Some(quote) = &card.quote {
        screen.say(&format!("You said: \"{quote}\""));
    }
    if let Some(ending) = &card.ending {
        screen.say(&format!("\n{ending}"));
    }
    screen.say(&line);
}

/// What could come next, in a sentence.
fn next_text(suggestion: &serde_json::Value) -> String {
    let text = |key: &str| suggestion[key].as_str().unwrap_or_default();
    match text("type") {
        "next_episode" => format!("Next: enact play {}", text("slug")),
        "matched_series" => format!("You might like {}: enact play {}", text("title"), text("slug")),
        "character_continuity" => text("prompt").to_owned(),
        _ => "There is more with the same character.".to_owned(),
    }
}
