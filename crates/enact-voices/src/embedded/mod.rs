//! The voice in this program: a diphone synthesiser with one speaker, who sounds like many.

mod cut;
mod formant;
mod manner;
mod transliterate;

use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use flite_rs::{Engine, Flow, Utterance, VoiceParams, language::Language, pipeline, voice};
use tokio::{task::spawn_blocking, time::Instant};

use self::manner::Manner;
use crate::{
    booth::{Line, Speaker},
    clip::Clip,
    error::Error,
    sound::Sound,
    text::parts,
};

/// How many characters are thought about at one time: a long sentence. What is thought about a text takes far more memory than
/// the text, or than its sound.
const LONGEST_PART: usize = 500;

/// The embedded voice. Its data is shared by all there are.
#[derive(Debug)]
pub(crate) struct Embedded;

impl Embedded {
    pub(crate) fn new() -> Embedded {
        Embedded
    }
}

#[async_trait]
impl Speaker for Embedded {
    fn description(&self) -> String {
        "flite, kal16".to_owned()
    }

    async fn say(&self, line: &Line, _until: Instant) -> Result<Sound, Error> {
        let text = transliterate::to_english(&line.text).ok_or(Error::Unreadable)?;
        let meant = line.meant.as_deref().and_then(transliterate::to_english);
        let manner = Manner::of(line.profile, line.shade);
        let wanted = Wanted::default();
        let still = wanted.0.clone();
        spawn_blocking(move || utter(&text, meant.as_deref(), manner, || still.load(Ordering::Relaxed)))
            .await
            .map(Sound::Made)
            .map_err(|_| Error::Panicked)
    }
}

/// Says a text in a manner, as long as somebody still wants to hear it. If it is the beginning of more, it sounds like that.
fn utter(text: &str, meant: Option<&str>, manner: Manner, wanted: impl Fn() -> bool) -> Clip {
    let mouth = Mouth { params: FLITE.params(manner), wanted };
    let samples = meant.and_then(|meant| mouth.beginning(meant, text)).unwrap_or_else(|| mouth.all(text));
    if !(mouth.wanted)() {
        return Clip::default();
    }
    let clip = Clip::of(samples, FLITE.voice.sample_rate);
    Clip { samples: formant::shift(clip.samples, manner.throat), rate: clip.rate }
}

/// Makes sound of text, in one manner.
struct Mouth<W> {
    params: VoiceParams,
    wanted: W,
}

impl<W: Fn() -> bool> Mouth<W> {
    fn all(&self, text: &str) -> Vec<i16> {
        let mut samples = Vec::new();
        for sentence in self.sentences(text) {
            self.sound(&sentence, usize::MAX, &mut samples);
        }
        samples
    }

    /// The beginning of what is meant, in the melody of the whole. Nothing if it has other words on its own: "$5" are five dollars, and
    /// "$5 million" are not.
    fn beginning(&self, meant: &str, heard: &str) -> Option<Vec<i16>> {
        let heard: Vec<String> = self.sentences(heard).flat_map(|sentence| cut::words(&sentence)).collect();
        let mut to_come = heard.as_slice();
        let mut samples = Vec::new();
        for mut sentence in self.sentences(meant) {
            let words = cut::words(&sentence);
            if words.len() < to_come.len() {
                to_come = to_come.strip_prefix(words.as_slice())?;
                self.sound(&sentence, usize::MAX, &mut samples);
                continue;
            }
            words.starts_with(to_come).then_some(())?;
            let seconds = cut::after(&mut sentence, to_come.len())?;
            let length = (seconds * FLITE.voice.sample_rate as f32) as usize;
            self.sound(&sentence, length, &mut samples);
            return Some(samples);
        }
        None
    }

    /// A text as the synthesiser understands it, one sentence at a time.
    fn sentences(&self, text: &str) -> impl Iterator<Item = Utterance> {
        let sentences = parts(text, LONGEST_PART).into_iter().flat_map(flite_rs::text::sentences);
        let analysed = sentences.map(|tokens| pipeline::analyse(&FLITE.language, &tokens, &self.params));
        analysed.take_while(|_| (self.wanted)())
    }

    /// Adds the sound of a sentence, which is stopped when it would become longer than so many samples.
    fn sound(&self, sentence: &Utterance, longest: usize, samples: &mut Vec<i16>) {
        let longest = samples.len().saturating_add(longest);
        voice::synthesise_streaming(&FLITE.voice, sentence, &self.params, &mut |period| {
            if samples.len() + period.len() > longest || !(self.wanted)() {
                return Flow::Stop;
            }
            samples.extend_from_slice(period);
            Flow::Continue
        });
    }
}

/// What everything is said with.
struct Flite {
    language: Arc<Language>,
    voice: flite_rs::Voice,
}

static FLITE: LazyLock<Flite> = LazyLock::new(|| Flite {
    language: Engine::new().language(),
    voice: flite_rs::Voice::parse(flite_rs::KAL16_VOICE_DATA).expect("data that came with its reader"),
});

impl Flite {
    /// What is asked of the synthesiser, given that its sound goes through another throat afterwards: that raises pitch and pace by
    /// as much as it makes the throat smaller.
    fn params(&self, manner: Manner) -> VoiceParams {
        let natural = self.voice.params();
        VoiceParams {
            int_f0_target_mean: manner.pitch_hz / manner.throat,
            int_f0_target_stddev: manner.range_hz / manner.throat,
            duration_stretch: natural.duration_stretch * manner.throat / manner.pace,
            ..natural
        }
    }
}

/// Says whether anybody still waits: dropped with the future that does, because threads cannot be stopped from outside.
struct Wanted(Arc<AtomicBool>);

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted(Arc::new(AtomicBool::new(true)))
    }
}

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
