//! What answers for an actor.

use std::{fmt, fmt::Debug, sync::Arc, time::Duration};

use async_trait::async_trait;
pub use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
};

/// Timeout for the check whether a model can be asked.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// A language model behind an adapter, or a player made of rules.
///
/// Implementers promise:
/// * **Cancellation:** dropping the future of [`answer`](Model::answer) stops the call; nothing is spent
///   afterwards.
/// * **Retries** happen inside, only before the first token and within [`Request::timeout_ms`]. The engine
///   drops what is later than that; a model that gives up just before can still tell what it has used.
/// * **Concurrency:** calls may be made in parallel; each is answered on its own.
#[async_trait]
pub trait Model: Debug + Send + Sync {
    /// What this is, for the log and for people. Never a key.
    fn card(&self) -> ModelCard;

    /// Whether answers arrive when they are ready, or tell how long they took.
    fn timing(&self) -> Timing {
        Timing::Real
    }

    /// Whether it can be asked at all, found out before a run begins and without spending anything. Only what
    /// is sure to fail is a problem (a key that is refused); a model that cannot tell has none.
    async fn check(&self) -> Result<(), Problem> {
        Ok(())
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure>;

    /// Like [`answer`](Model::answer), pushing each piece of text as it comes. All pieces together are the text
    /// of the answer, if one comes of it; nothing is ever said that would have to be taken back for another try.
    /// Thoughts, keys and what has to have a certain shape are not said.
    ///
    /// A model that has only whole answers pushes nothing, except where a production shows JSON while it comes:
    /// its clients wait for that.
    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        let live = if request.live_json { live } else { LiveText::none() };
        let answer = self.answer(request).await?;
        live.push(&answer.text);
        Ok(answer)
    }
}

/// [Checks](Model::check) a model, within a timeout: one that does not answer in time may be slow, not
/// wrong.
pub(crate) async fn check(model: &dyn Model) -> Result<(), Problem> {
    tokio::time::timeout(CHECK_TIMEOUT, model.check()).await.unwrap_or(Ok(()))
}

/// Where a model's text goes while it is still coming: provisional, and never stored.
#[derive(Clone, Default)]
pub struct LiveText(Option<LiveListener>);

/// What is called with each piece, and what says whether that is of any use now.
#[derive(Clone)]
struct LiveListener {
    hear: Arc<dyn Fn(&str) + Send + Sync>,
    is_there: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl LiveText {
    /// Calls this with each piece, from the model's own task. It must not block.
    pub fn to(listener: impl Fn(&str) + Send + Sync + 'static) -> LiveText {
        LiveText::to_followers(listener, || true)
    }

    /// The same for listeners that come and go: whether there are any now is for `is_there` to say.
    pub fn to_followers(
        listener: impl Fn(&str) + Send + Sync + 'static,
        is_there: impl Fn() -> bool + Send + Sync + 'static,
    ) -> LiveText {
        LiveText(Some(LiveListener { hear: Arc::new(listener), is_there: Arc::new(is_there) }))
    }

    /// Drops all text.
    pub fn none() -> LiveText {
        LiveText(None)
    }

    /// Whether text would be heard at this moment. A model asks once, when it is called: streaming costs both
    /// sides more than an answer in one piece.
    pub fn is_wanted(&self) -> bool {
        self.0.as_ref().is_some_and(|listener| (listener.is_there)())
    }

    pub fn push(&self, text: &str) {
        if let Some(listener) = &self.0
            && !text.is_empty()
        {
            (listener.hear)(text);
        }
    }
}

impl fmt::Debug for LiveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "LiveText(heard)" } else { "LiveText(unheard)" })
    }
}

/// Whose clock orders a model's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// The order of arrival is the order of arrival.
    Real,
    /// The model answers at once and says how long it "thought" (`took_ms`). The engine waits for all
    /// simulated answers of a beat and delivers them in that order, so that the same seed gives the same
    /// lines.
    Simulated,
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    };

    use super::*;

    #[test]
    fn text_is_wanted_while_there_are_followers() {
        let (followed, heard) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(String::new())));
        let live = LiveText::to_followers(
            {
                let heard = heard.clone();
                move |text| heard.lock().unwrap().push_str(text)
            },
            {
                let followed = followed.clone();
                move || followed.load(SeqCst)
            },
        );
        assert!(!live.is_wanted() && LiveText::to(|_| {}).is_wanted() && !LiveText::none().is_wanted());
        followed.store(true, SeqCst);
        assert!(live.is_wanted());
        // One that comes in the middle hears the rest: what to do with it is for the listener to say.
        followed.store(false, SeqCst);
        live.push("Hm.");
        assert_eq!(*heard.lock().unwrap(), "Hm.");
    }
}
