//! A message and its answer: what becomes of each, and how an episode comes to its end.

use super::{
    CompletionMode, EpisodeEnd, EpisodeEvent, NarrativeBeat, RefusedMessage,
    answer::read_answer,
    director::{self, EpisodeExchange, Finding},
    evaluation::{self, Evaluation},
    machine::EpisodeDraft,
    reading,
    suggestion::suggestion,
};
use crate::{
    CallId, fallback,
    production::{Answer, Failure, FailureKind},
    usage::Usage,
};

/// The user says something, or chooses.
pub(super) fn receive(draft: &mut EpisodeDraft, id: &str, text: Option<&str>, choice: Option<&str>) {
    if draft.episode.has_message(id) {
        return;
    }
    if let Some(why) = draft.episode.refusal(text, choice) {
        draft.push(EpisodeEvent::MessageRefused { id: id.to_owned(), why });
        // Nothing else will be told of it, unless another message is being answered.
        if why != RefusedMessage::Busy {
            draft.push(EpisodeEvent::Settled {});
        }
        return;
    }
    let option = choice.and_then(|id| draft.episode.option(id));
    let (label, flag) = option.map_or((None, None), |(label, flag)| (Some(label), flag.map(str::to_owned)));
    let text = label.or(text).unwrap_or_default().to_owned();
    let turn = draft.episode.turn_count() + 1;
    if let Some(flag) = flag {
        let finding = Finding::quoting("choice", &text);
        draft.push(EpisodeEvent::FlagSet { turn, flag, finding });
    }
    let directive = director::directive(&draft.episode, &text);
    let (id, choice) = (id.to_owned(), choice.map(str::to_owned));
    let injected = director::injected(&draft.episode, &text);
    draft.push(EpisodeEvent::MessageReceived { id, text, choice });
    if let Some(injected) = injected {
        draft.push(EpisodeEvent::Injected { turn, injected });
    }
    match directive {
        Some(directive) => draft.push(EpisodeEvent::Directed { turn, directive }),
        None => {
            if let Some((rule, instruction)) = director::nudge(&draft.episode) {
                let (rule, instruction) = (rule.to_owned(), instruction.to_owned());
                draft.push(EpisodeEvent::Nudged { turn, instruction, rule });
            }
        }
    }
    ask(draft, turn, draft.episode.setup.model.clone(), false);
}

fn ask(draft: &mut EpisodeDraft, turn: u32, model: String, fallback: bool) {
    let call = draft.next_call();
    draft.push(EpisodeEvent::Asked { call, turn, model, deadline: CallId(call.0 + 1), fallback });
}

/// A model answered: for the character, or what the episode came to.
pub(super) fn answered(draft: &mut EpisodeDraft, call: CallId, answer: &Answer) {
    if draft.episode.evaluating.is_some_and(|asked| asked.call == call) {
        return evaluated(draft, call, answer);
    }
    if draft.episode.reading.is_some_and(|asked| asked.call == call) {
        return reading::given(draft, answer);
    }
    if draft.episode.asked.is_none_or(|asked| asked.call != call) {
        return;
    }
    let read = read_answer(&answer.text);
    if read.answer.is_empty() {
        let failure = Failure {
            kind: FailureKind::Empty,
            usage: answer.usage,
            took_ms: answer.took_ms,
            ..Failure::new("the answer was empty")
        };
        return failed(draft, call, &failure);
    }
    let turn = draft.episode.turn_count() + 1;
    let message = draft.episode.message.as_ref().map(|message| message.text.clone()).unwrap_or_default();
    draft.push(EpisodeEvent::Answered {
        call,
        turn,
        raw: answer.text.clone(),
        answer: read.answer.clone(),
        warnings: read.warnings,
        usage: answer.usage,
        took_ms: answer.took_ms,
    });
    if let Some(internal) = read.internal {
        draft.push(EpisodeEvent::Thought { turn, internal });
    }
    director::observe(draft, &message, &read.answer);
    complete_turn(draft, turn);
}

/// Counts the turn, and says what follows from it.
fn complete_turn(draft: &mut EpisodeDraft, turn: u32) {
    let mut after = draft.episode.clone();
    after.fold_turn();
    let completion_eligible = after.completion().is_some();
    draft.push(EpisodeEvent::TurnCompleted { turn, completion_eligible });
    let completion = draft.episode.completion();
    if let Some(choice) = draft.offer.take().filter(|_| completion.is_none()) {
        draft.push(EpisodeEvent::ChoiceOffered { turn, choice });
    }
    if is_time_to_suggest(draft)
        && let Some(suggestion) = suggestion(&draft.episode, None)
    {
        draft.push(EpisodeEvent::Suggested { turn, suggestion });
    }
    let Some(trigger) = completion else {
        draft.push(EpisodeEvent::Settled {});
        // After `Settled`, which ends the client's stream: the reading must not delay it.
        reading::ask(draft, turn);
        return;
    };
    let ending = ending(draft, turn);
    draft.push(EpisodeEvent::Completed { turn, trigger, ending });
    match draft.episode.setup.director.is_some() {
        true => ask_evaluation(draft),
        false => {
            let evaluation = evaluation::by_rules(&draft.episode);
            finish(draft, evaluation, None, None);
        }
    }
}

/// Asks a model what the episode came to.
pub(super) fn ask_evaluation(draft: &mut EpisodeDraft) {
    let call = draft.next_call();
    let model = draft.episode.setup.director.clone().unwrap_or_default();
    draft.push(EpisodeEvent::EvaluationAsked { call, deadline: CallId(call.0 + 1), model });
}

/// A suggestion is made once, as soon as the story has come to its turning point, or its user says goodbye.
/// It closes nothing.
fn is_time_to_suggest(draft: &EpisodeDraft) -> bool {
    let episode = &draft.episode;
    let bounded = episode.setup.template.completion_mode != CompletionMode::Open;
    let due = if bounded { NarrativeBeat::Pivot } else { NarrativeBeat::Resolution };
    !episode.has_suggested && episode.beat() >= due && episode.completion().is_none()
}

/// The ending that has come true; of several the one of highest priority.
fn ending(draft: &EpisodeDraft, turn: u32) -> Option<String> {
    let last = draft.episode.turns.last()?;
    let exchange = EpisodeExchange { turn, user: &last.message.text, said: &last.answer.dialogue };
    let endings = draft.episode.setup.template.endings.iter();
    let come_true =
        endings.filter(|ending| director::holds(&ending.when, &draft.episode, &exchange).is_some());
    come_true.max_by_key(|ending| ending.priority).map(|ending| ending.id.clone())
}

/// A model said what the episode came to.
fn evaluated(draft: &mut EpisodeDraft, call: CallId, answer: &Answer) {
    match evaluation::read(&draft.episode, &answer.text) {
        Some(made) => finish(draft, made, Some(call), answer.usage),
        None => {
            let failure = Failure {
                usage: answer.usage,
                took_ms: answer.took_ms,
                ..Failure::new("the evaluation could not be read")
            };
            evaluation_failed(draft, call, &failure);
        }
    }
}

fn evaluation_failed(draft: &mut EpisodeDraft, call: CallId, failure: &Failure) {
    draft.push(EpisodeEvent::EvaluationFailed {
        call,
        error: failure.error.clone(),
        failure: failure.kind,
        usage: failure.usage,
        took_ms: failure.took_ms,
    });
    // The rules' one stands in, and the session stays open for a better one: nothing is lost.
    if !draft.episode.has_evaluation {
        let stands_in_for = draft.episode.setup.director.clone();
        let evaluation = Evaluation { stands_in_for, ..evaluation::by_rules(&draft.episode) };
        let suggestion = suggestion(&draft.episode, Some(&evaluation));
        draft.push(EpisodeEvent::Evaluated { evaluation, suggestion, call: None, usage: None });
    }
    draft.push(EpisodeEvent::Settled {});
}

/// The end: what it came to, by a model or by rules, and what could come next.
fn finish(draft: &mut EpisodeDraft, evaluation: Evaluation, call: Option<CallId>, usage: Option<Usage>) {
    let suggestion = suggestion(&draft.episode, Some(&evaluation));
    draft.push(EpisodeEvent::Evaluated { evaluation, suggestion, call, usage });
    draft.push(EpisodeEvent::Ended { reason: EpisodeEnd::Completed });
}

/// A model gave nothing: its fallback is asked, or the message counts as not sent.
pub(super) fn failed(draft: &mut EpisodeDraft, call: CallId, failure: &Failure) {
    if draft.episode.evaluating.is_some_and(|asked| asked.call == call) {
        return evaluation_failed(draft, call, failure);
    }
    if draft.episode.reading.is_some_and(|asked| asked.call == call) {
        return reading::failed(draft, failure);
    }
    let Some(asked) = draft.episode.asked.filter(|asked| asked.call == call) else { return };
    let next = draft.episode.setup.model_at(asked.rank + 1).map(str::to_owned);
    let next = next.filter(|_| fallback::may_help(failure.kind));
    let turn = draft.episode.turn_count() + 1;
    draft.push(EpisodeEvent::AnswerFailed {
        call,
        turn,
        error: failure.error.clone(),
        failure: failure.kind,
        last: next.is_none(),
        usage: failure.usage,
        took_ms: failure.took_ms,
    });
    match next {
        Some(model) => ask(draft, turn, model, true),
        None => draft.push(EpisodeEvent::Settled {}),
    }
}

/// An answer or an evaluation has taken too long.
pub(super) fn time_up(draft: &mut EpisodeDraft, timer: CallId) {
    let answer = draft.episode.asked.filter(|asked| asked.deadline == timer).map(|asked| asked.call);
    let evaluation = draft.episode.evaluating.filter(|asked| asked.deadline == timer).map(|asked| asked.call);
    let reading = draft.episode.reading.filter(|asked| asked.deadline == timer).map(|asked| asked.call);
    if let Some(call) = answer.or(evaluation).or(reading) {
        let failure =
            Failure { kind: FailureKind::Timeout, ..Failure::new("the answer did not come in time") };
        failed(draft, call, &failure);
    }
}
