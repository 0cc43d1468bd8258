//! What models gave in a run, read back from its log so that a recording can give it again.

use crate::{
    Name,
    call::{Answer, Failure, Purpose},
    usage::Usage,
};

/// What a model gave when it was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAnswer {
    /// The beat in which it was asked.
    pub beat: u32,
    /// The actor it answered for; `None` for hidden calls.
    pub actor: Option<Name>,
    pub purpose: Purpose,
    pub outcome: Result<Answer, Failure>,
}

/// Collects the answers of a log in the order in which they arrived.
#[derive(Debug, Default)]
pub struct AnswerCollector {
    answers: Vec<RecordedAnswer>,
    last_ms: Option<u64>,
}

impl AnswerCollector {
    /// A beat begins: times count anew.
    pub fn open_beat(&mut self) {
        self.last_ms = None;
    }

    /// Takes the next answer. Each arrives later than those before it in its beat: the measured times alone
    /// do not give the recorded order, since the calls of one beat do not leave at the same instant.
    pub fn push(&mut self, mut answer: RecordedAnswer) {
        let took_ms = match &mut answer.outcome {
            Ok(answer) => &mut answer.took_ms,
            Err(failure) => &mut failure.took_ms,
        };
        *took_ms = self.last_ms.map_or(*took_ms, |last| last.saturating_add(1).max(*took_ms));
        self.last_ms = Some(*took_ms);
        self.answers.push(answer);
    }

    /// Forgets the newest failure of these: another model was asked for the same, and what that one gave is
    /// what came of it.
    pub fn forget_failure(&mut self, actor: Option<&Name>, purpose: &Purpose) {
        let same = |answer: &RecordedAnswer| answer.actor.as_ref() == actor && answer.purpose == *purpose;
        let newest = self.answers.iter().rposition(same);
        if let Some(at) = newest.filter(|at| self.answers[*at].outcome.is_err()) {
            self.answers.remove(at);
        }
    }

    pub fn into_answers(self) -> Vec<RecordedAnswer> {
        self.answers
    }
}

/// An answer as it is given again. Its tokens are told again; what was billed was billed once.
pub fn answered(raw: &str, usage: Option<Usage>, took_ms: u64) -> Result<Answer, Failure> {
    Ok(Answer { text: raw.to_owned(), usage: unbilled(usage), took_ms, first_word_ms: None })
}

/// The same for a failure.
pub fn failed(error: &str, usage: Option<Usage>) -> Result<Answer, Failure> {
    Err(Failure { usage: unbilled(usage), ..Failure::new(error) })
}

fn unbilled(usage: Option<Usage>) -> Option<Usage> {
    usage.map(|usage| Usage { billed: None, ..usage })
}
