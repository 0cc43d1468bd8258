//! What turns text into audio.

use std::{fmt::Debug, sync::Arc, time::Duration};

use async_trait::async_trait;
pub use enact_drama::{
    production::Failure,
    voice::{PassedOver, Utterance, VoiceProfile},
};

/// Something that speaks: built in, behind a service, another program, or several of these in turn.
///
/// Implementers promise:
/// * **Cancellation:** dropping the future stops the call; nothing is spent afterwards.
/// * **Patience:** an answer comes within the time that is given, waiting for others included, or a failure does.
/// * **Levels:** what is spoken is as loud as what anybody else speaks, and never silent.
/// * **Cuts:** nothing is heard but the `text` of an utterance, whatever else was `meant`.
/// * **Order:** calls may be made in parallel, and what heavy work there is is done off the async threads.
#[async_trait]
pub trait Voice: Debug + Send + Sync {
    /// What this is, for people: `embedded (flite, kal16)`. Never a key.
    fn description(&self) -> String;

    async fn speak(&self, utterance: Arc<Utterance>, patience: Duration) -> Result<Audio, Failure>;
}

/// Something that was said: one channel, 16 bits a sample.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audio {
    pub samples: Vec<i16>,
    /// Samples a second.
    pub rate: u32,
    /// Who spoke in the end.
    pub by: String,
    /// Those that were tried before, and why they did not speak.
    pub passed_over: Vec<PassedOver>,
}

impl Audio {
    pub fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.samples.len() as f64 / f64::from(self.rate.max(1)))
    }
}
