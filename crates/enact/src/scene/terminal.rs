//! What a scene looks like on a terminal.

use std::sync::Arc;

use anstyle::{AnsiColor, Color, Style};
use enact_drama::{
    CallId, Fact, Name,
    judge::Goal,
    model_card::ModelCard,
    reply::{Action, Reply},
    scene::report::{line_content, line_text, silence_content, silence_text},
    scene::{Line, Lines, Role, Scene, SceneEvent, SceneSetup},
    sent_prompts::SentPrompts,
    text::one_line,
};

use enact_engine::run_loop::Signal;
use tokio::sync::mpsc;

use super::people::People;
use crate::{
    reader,
    screen::{BOLD, FAINT, Screen, Show, as_whom, coloured_line, coloured_names},
};

const MET: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));

/// A scene as far as it has been shown.
#[derive(Default)]
pub(crate) struct ShownScene {
    setup: Option<Arc<SceneSetup>>,
    lines: Lines,
    beat: u32,
    thinking: Vec<Name>,
    goals_met: Vec<bool>,
    /// What models are sent, where that is to be shown.
    prompts: Option<SentPrompts<Scene>>,
    /// Those who answer here, where the run takes answers.
    people: Option<(People, mpsc::Sender<Signal>)>,
    /// What people have been asked and not answered.
    asked: Vec<(CallId, Name)>,
}

impl ShownScene {
    /// Also takes answers for the characters that people play.
    pub(crate) fn with_people(self, signals: mpsc::Sender<Signal>) -> ShownScene {
        ShownScene { people: Some((People::default(), signals)), ..self }
    }

    /// Also shows what models are sent.
    pub(crate) fn with_prompts(show: bool) -> ShownScene {
        ShownScene { prompts: show.then(SentPrompts::default), ..ShownScene::default() }
    }
}

impl Show for ShownScene {
    type Event = SceneEvent;

    fn show(&mut self, fact: &Fact<SceneEvent>, screen: &Screen) -> bool {
        self.lines.apply(fact.seq, &fact.event);
        if let Some((people, _)) = &self.people {
            people.hide_prompt();
        }
        if let Some(prompts) = &mut self.prompts {
            prompts.follow(fact).split_terminator('\n').for_each(|line| screen.whisper(line));
        }
        match &fact.event {
            SceneEvent::Began { setup } => {
                self.setup = Some(setup.clone());
                opening(setup, screen);
            }
            SceneEvent::Resumed {} => screen.whisper("(resumed)\n"),
            SceneEvent::BeatOpened { beat, .. } => {
                self.beat = *beat;
                self.thinking.clear();
            }
            SceneEvent::Asked { call, actor, human: Some(_), .. } => self.asked.push((*call, actor.clone())),
            SceneEvent::Asked { actor, .. } => self.thinking.push(actor.clone()),
            SceneEvent::Replied { call, actor, reply, unanswered, .. } => {
                self.thinking.retain(|name| name != actor);
                self.asked.retain(|(asked, _)| asked != call);
                if *unanswered && let Some(setup) = &self.setup {
                    let name = display(setup, actor);
                    screen.whisper(&format!("({name} says nothing in time)\n"));
                }
                self.stage_direction(actor, reply, screen);
            }
            SceneEvent::CallFailed { actor, .. } => self.thinking.retain(|name| name != actor),
            SceneEvent::LineAdded { .. } => {
                if let (Some(setup), Some(line)) = (&self.setup, self.lines.last()) {
                    let text =
                        if screen.is_for_reader() { for_reader(setup, line) } else { coloured(setup, line) };
                    screen.say(&format!("{text}\n"));
                }
            }
            SceneEvent::LineCut { line, .. } => {
                if let (Some(setup), Some(index)) = (&self.setup, self.lines.index(*line))
                    && let Some((who, _)) = self.lines[index].actor()
                {
                    let name = display(setup, who);
                    let heard = last_words(self.lines[index].heard());
                    screen.whisper(&match screen.is_for_reader() {
                        true => format!("({name} is cut off: “{heard}”)\n"),
                        false => format!("({name} is cut off: \"{heard}\")\n"),
                    });
                }
            }
            SceneEvent::Judged { verdict } if screen.is_interactive() => {
                let before = std::mem::take(&mut self.goals_met);
                for (index, goal) in verdict.goals.iter().enumerate() {
                    let (met, was) = (goal.met == Some(true), before.get(index) == Some(&true));
                    if met && !was {
                        screen.say(&format!("{MET}  ✓ {}{MET:#}\n", one_line(&goal.text)));
                    } else if was && !met {
                        screen.whisper(&format!("  ✗ no longer: {}\n", one_line(&goal.text)));
                    }
                    self.goals_met.push(met);
                }
            }
            SceneEvent::Ended { reason, .. } => {
                self.asked.clear();
                // A reader is told by the line that follows.
                if !screen.is_for_reader() {
                    screen.say(reason.ending().line);
                }
            }
            _ => {}
        }
        matches!(fact.event, SceneEvent::LineAdded { .. })
    }

    fn shown(&mut self) {
        if let Some((people, signals)) = &self.people {
            people.set_open(&self.asked, signals);
            people.show_prompt();
        }
    }

    fn status(&self) -> Option<String> {
        let setup = self.setup.as_ref()?;
        // It is redrawn over and over, and would wipe away what a person types.
        if setup.cast.iter().any(|role| setup.is_human(&role.name)) {
            return None;
        }
        let names: Vec<&str> = self.thinking.iter().map(|name| display(setup, name)).collect();
        let thinking =
            if names.is_empty() { String::new() } else { format!(" · thinking: {}", names.join(", ")) };
        let (met, goals) = (self.goals_met.iter().filter(|met| **met).count(), setup.goals.len());
        let goals = if goals == 0 { String::new() } else { format!(" · goals {met}/{goals}") };
        Some(format!("beat {} of at most {}{goals}{thinking}", self.beat + 1, setup.max_beats))
    }
}

impl ShownScene {
    /// A silence that can be seen, where the scene wants such things told.
    fn stage_direction(&self, actor: &Name, reply: &Reply, screen: &Screen) {
        if let (Some(setup), Action::Silent, Some(gesture)) = (&self.setup, reply.action, &reply.nonverbal)
            && setup.config.stage_directions
        {
            if screen.is_for_reader() {
                let place = setup.cast.iter().position(|role| role.name == *actor).unwrap_or_default();
                let silence = silence_content(setup, actor, gesture);
                screen.say(&format!("{}\n", reader::block(&silence, place, reader::columns())));
            } else {
                screen.whisper(&format!("{}\n", silence_text(setup, actor, gesture)));
            }
        }
    }
}

fn opening(setup: &SceneSetup, screen: &Screen) {
    let cast = coloured_names(setup.cast.iter().map(|role| &role.display));
    screen.say(&format!("{BOLD}{}{BOLD:#} with {cast}", setup.title()));
    if let Some(setting) = &setup.config.setting {
        screen.whisper(&format!("  setting: {}", one_line(setting)));
    }
    let displays: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    for goal in &setup.goals {
        let judged = setup.judge.is_some() || Goal::read(goal, &displays).is_judged();
        let unread = if judged { "" } else { " (cannot be judged)" };
        screen.whisper(&format!("  goal{unread}: {}", one_line(goal)));
    }
    for task in tasks(setup) {
        screen.whisper(&format!("  {task}"));
    }
    screen.say("");
}

/// Who does what: "played by: one model, as Alice", "judged and events written by: another".
fn tasks(setup: &SceneSetup) -> Vec<String> {
    let plays = |model: &String| -> Vec<&str> {
        setup.cast.iter().filter(|role| role.model == *model).map(|role| role.display.as_str()).collect()
    };
    let line = |(model, card): (&String, &ModelCard)| {
        let parts = plays(model);
        let tasks = [
            (!parts.is_empty(), "played"),
            (setup.judge.as_ref() == Some(model), "judged"),
            (setup.event_writer.as_ref() == Some(model), "events written"),
        ];
        let tasks: Vec<&str> = tasks.iter().filter(|(has, _)| *has).map(|(_, task)| *task).collect();
        let tasks = match tasks.as_slice() {
            [] => return None,
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            tasks => tasks.concat(),
        };
        let whom = as_whom(&parts, setup.cast.len());
        Some(format!("{tasks} by: {}{whom}", one_line(&card.description)))
    };
    setup.models.iter().filter_map(line).collect()
}

/// A line with its speaker's name in colour and its stage business faint.
pub(crate) fn coloured(setup: &SceneSetup, line: &Line) -> String {
    let text = line_text(setup, line);
    let place = line.actor().and_then(|(who, _)| setup.cast.iter().position(|role| role.name == *who));
    let Some(place) = place else { return format!("{FAINT}{text}{FAINT:#}") };
    coloured_line(&text, &setup.cast[place].display, place)
}

/// A line as it is set for reading.
fn for_reader(setup: &SceneSetup, line: &Line) -> String {
    let speaks = |role: &Role| line.is_by(&role.name);
    let place = setup.cast.iter().position(speaks).unwrap_or_default();
    reader::block(&line_content(setup, line), place, reader::columns())
}

/// The end of a line that was just shown, enough to find the place again.
fn last_words(heard: &str) -> String {
    const WORDS: usize = 5;
    let words: Vec<&str> = heard.split_whitespace().collect();
    match words.len().checked_sub(WORDS) {
        None | Some(0) => heard.to_owned(),
        Some(skipped) => format!("…{}", words[skipped..].join(" ")),
    }
}

fn display<'a>(setup: &'a SceneSetup, name: &'a Name) -> &'a str {
    setup.cast.iter().find(|role| role.name == *name).map_or(name.as_str(), |role| &role.display)
}
