//! A voice that hums.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_engine::{
    Voice,
    model::Failure,
    voice::{Audio, Utterance},
};
use tokio::sync::Semaphore;

/// Hums for as long as a text is, after a while.
#[derive(Debug, Clone, Default)]
pub struct TestVoice {
    takes: Duration,
    refuses: Option<&'static str>,
    /// How many more things may be said, if that is limited.
    breath: Option<Arc<Semaphore>>,
    asked: Arc<AtomicUsize>,
}

impl TestVoice {
    pub fn after(takes: Duration) -> TestVoice {
        TestVoice { takes, ..TestVoice::default() }
    }

    /// Says nothing until it [is let](TestVoice::let_speak).
    pub fn waiting(self) -> TestVoice {
        TestVoice { breath: Some(Arc::new(Semaphore::new(0))), ..self }
    }

    /// Fails to say what holds this.
    pub fn refusing(self, text: &'static str) -> TestVoice {
        TestVoice { refuses: Some(text), ..self }
    }

    pub fn let_speak(&self, times: usize) {
        self.breath.as_ref().expect("a voice that waits").add_permits(times);
    }

    /// How often it was asked to say something.
    pub fn asked(&self) -> usize {
        self.asked.load(SeqCst)
    }
}

#[async_trait]
impl Voice for TestVoice {
    fn description(&self) -> String {
        "hum".to_owned()
    }

    async fn speak(&self, utterance: Arc<Utterance>, _: Duration) -> Result<Audio, Failure> {
        self.asked.fetch_add(1, SeqCst);
        tokio::time::sleep(self.takes).await;
        if let Some(breath) = &self.breath {
            breath.acquire().await.unwrap().forget();
        }
        if self.refuses.is_some_and(|text| utterance.text.contains(text)) {
            return Err(Failure::new("that is not to be said"));
        }
        let samples = (0..utterance.text.len() * 40).map(|n| if n % 16 < 8 { 3_000 } else { -3_000 });
        Ok(Audio { samples: samples.collect(), rate: 8_000, by: "hum".to_owned(), passed_over: Vec::new() })
    }
}
