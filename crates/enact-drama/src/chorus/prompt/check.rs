//! Whether templates can be filled in: found out before anything is played.

use minijinja::{Environment, Error, ErrorKind};

use super::{LONGEST_PROMPT_BYTES, Template, fill, language::keeps_to_it};
use crate::{
    Problem,
    chorus::{
        Agent, AgentId, LONGEST_MESSAGE_CHARS, MOST_SLOTS, PeerResponse, Prompts, ReceivedComment, SlotId,
        Turn, View,
    },
    did_you_mean,
};

impl Prompts {
    /// Fills every template in, with values made up for it: few and many, short and long. What is wrong is
    /// said with the file it is in, and the line.
    pub fn check(&self) -> Result<(), Problem> {
        Template::ALL.into_iter().try_for_each(|template| {
            let source = self.of(template);
            keeps_to_it(source).map_err(|refused| {
                placed(Problem::config(refused.why), source, refused.at)
                    .in_file(template.file())
                    .hint(refused.hint)
            })?;
            known_variables(template, source)?;
            samples(template).iter().try_for_each(|sample| {
                let text = fill(template, source, sample.as_ref())
                    .map_err(|error| problem(template, source, &error))?;
                if text.trim().is_empty() {
                    return Err(Problem::config("this template says nothing").in_file(template.file()));
                }
                Ok(())
            })
        })
    }
}

/// Also finds variables in parts that are not reached with made-up values.
fn known_variables(template: Template, source: &str) -> Result<(), Problem> {
    let environment = Environment::new();
    let ready = environment
        .template_from_named_str(template.file(), source)
        .map_err(|error| problem(template, source, &error))?;
    let mut unknown: Vec<String> = ready
        .undeclared_variables(false)
        .into_iter()
        .filter(|name| !template.variables().contains(&name.as_str()))
        // Functions of the template language count as variables too.
        .filter(|name| !environment.globals().any(|(global, _)| global == name))
        .collect();
    unknown.sort();
    let Some(name) = unknown.first() else { return Ok(()) };
    let at = words(source).find(|(_, word)| word == name).map_or(0, |(at, _)| at);
    let problem =
        placed(Problem::config(format!("there is no variable '{name}' in this template")), source, at)
            .in_file(template.file());
    Err(match did_you_mean(name, template.variables().iter().copied()) {
        Some(known) => problem.hint(format!("did you mean '{known}'?")),
        None => problem.hint(format!("it may use {}", template.variables().join(", "))),
    })
}

/// The words of a text, and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let between = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(between).scan(0, move |at, word| {
        let begins = *at;
        // What stands between two words is one character, of any width.
        let gap = text[begins + word.len()..].chars().next().map_or(0, char::len_utf8);
        *at = begins + word.len() + gap;
        Some((begins, word))
    })
}

fn placed(problem: Problem, source: &str, at: usize) -> Problem {
    let before = source.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    problem.at(line, column)
}

fn problem(template: Template, source: &str, error: &Error) -> Problem {
    let what = error.range().and_then(|range| source.get(range)).unwrap_or_default().trim();
    let message = match (error.kind(), error.detail()) {
        (ErrorKind::UndefinedError, _) => format!("there is no '{what}' here"),
        (ErrorKind::OutOfFuel, _) => "this template does not come to an end".to_owned(),
        (ErrorKind::WriteFailure, _) => {
            format!("this template says more than {LONGEST_PROMPT_BYTES} bytes")
        }
        (ErrorKind::SyntaxError, Some(detail)) => detail.to_owned(),
        (kind, Some(detail)) => format!("{kind}: {detail}"),
        (kind, None) => kind.to_string(),
    };
    let problem = Problem::config(message).in_file(template.file());
    match error.range() {
        Some(range) => placed(problem, source, range.start),
        None => problem.at(error.line().unwrap_or(1), 1),
    }
}

/// As few of the others as there can be, as many, and as much of what everybody says.
fn samples(template: Template) -> Vec<Option<View>> {
    let Some(view) = sample(template) else { return vec![None] };
    let (mut few, mut many) = (view.clone(), view.clone());
    few.peers.truncate(1);
    few.comments.truncate(1);
    if let (Turn::Comment, Some(peer)) = (view.turn, view.peers.last()) {
        let numbers = 4..=MOST_SLOTS;
        many.peers
            .extend(numbers.filter_map(SlotId::new).map(|slot_id| PeerResponse { slot_id, ..peer.clone() }));
    }
    if let (Turn::Reply, Some(comment)) = (view.turn, view.comments.last()) {
        let more = SlotId::new(4).map(|from_slot_id| ReceivedComment { from_slot_id, ..comment.clone() });
        many.comments.extend(more);
    }
    let long = View { message: "word\n".repeat(LONGEST_MESSAGE_CHARS / 5), ..many.clone() };
    [view, few, many, long].map(Some).to_vec()
}

/// What a slot could know, made up so that a template can be tried.
pub(super) fn sample(template: Template) -> Option<View> {
    let Template::Turn(turn) = template else { return None };
    let slot = |number: u8| SlotId::new(number).expect("one of the slots");
    let id = |text: &str| AgentId::new(text).expect("a plain id");
    let agent = Agent {
        id: id("gpt-4o"),
        name: "GPT-4o".to_owned(),
        provider: "OpenAI".to_owned(),
        description: "Easy company.".to_owned(),
        color: "#10a37f".to_owned(),
    };
    let response = |number: u8, text: &str| PeerResponse {
        slot_id: slot(number),
        agent_id: id("gemini-3"),
        agent_name: "Gemini 3".to_owned(),
        text: text.to_owned(),
    };
    let comment = |number: u8, text: &str| ReceivedComment {
        from_slot_id: slot(number),
        from_agent_id: id("gemini-3"),
        from_agent_name: "Gemini 3".to_owned(),
        comment: text.to_owned(),
    };
    let (comments, peers) = match turn {
        Turn::Respond => (vec![], vec![]),
        Turn::Comment => (vec![], vec![response(2, "Like applause."), response(3, "Like \"shh\".")]),
        Turn::Reply => (vec![comment(2, "I hear it too."), comment(3, "Every night?")], vec![]),
    };
    Some(View {
        me: slot(1).name(),
        slot: slot(1),
        agent,
        turn,
        message: "What does rain sound like?".to_owned(),
        own: (turn != Turn::Respond).then(|| "Like a letter being opened.".to_owned()),
        peers,
        comments,
        messages_before: 0,
        said_before: Vec::new(),
        others_before: Vec::new(),
        again: false,
        seed: 1,
    })
}
