//! The voice in this program: a diphone synthesiser with one speaker, who sounds like many.

mod formant;
mod params;
mod transliterate;

use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use flite_rs::{
    Engine, Flow, Utterance, VoiceParams,
    ffeature::{ItemPath, path_to_item},
    language::Language,
    phoneset::SILENCE,
    pipeline, voice,
};
use tokio::{task::spawn_blocking, time::Instant};

use self::params::SpeakerParams;
use crate::{
    audio::{Pcm, SpokenAudio},
    error::Error,
    managed_voice::{SpeechText, TtsBackend},
    text::split,
};

/// How many characters are analysed at one time: a long sentence. The analysis takes far more memory than the text, or
/// than its sound.
const LONGEST_PART: usize = 500;

/// The embedded voice. Its data is shared by all there are.
#[derive(Debug)]
pub(crate) struct Embedded;

#[async_trait]
impl TtsBackend for Embedded {
    fn description(&self) -> String {
        "flite, kal16".to_owned()
    }

    async fn say(&self, line: &SpeechText, _until: Instant) -> Result<SpokenAudio, Error> {
        let text = transliterate::to_english(&line.text).ok_or(Error::Unreadable)?;
        let meant = line.meant.as_deref().and_then(transliterate::to_english);
        let params = SpeakerParams::of(line.profile, line.shade);
        let cancel = CancelOnDrop::default();
        let cancelled = cancel.0.clone();
        spawn_blocking(move || {
            synthesize(&text, meant.as_deref(), params, || cancelled.load(Ordering::Relaxed))
        })
        .await
        .map(SpokenAudio::Pcm)
        .map_err(|_| Error::Panicked)
    }
}

/// Says a text, unless that is cancelled. If it is the beginning of what is meant, it sounds like that.
fn synthesize(
    text: &str,
    meant: Option<&str>,
    params: SpeakerParams,
    is_cancelled: impl Fn() -> bool,
) -> Pcm {
    let synthesizer = Synthesizer { params: FLITE.params(params), is_cancelled };
    let samples =
        meant.and_then(|meant| synthesizer.beginning(meant, text)).unwrap_or_else(|| synthesizer.all(text));
    if (synthesizer.is_cancelled)() {
        return Pcm::default();
    }
    let Pcm { samples, rate } = Pcm::of(samples, FLITE.voice.sample_rate);
    Pcm { samples: formant::shift(samples, params.throat), rate }
}

/// Makes samples of text, for one speaker.
struct Synthesizer<C> {
    params: VoiceParams,
    is_cancelled: C,
}

impl<C: Fn() -> bool> Synthesizer<C> {
    fn all(&self, text: &str) -> Vec<i16> {
        let mut samples = Vec::new();
        for sentence in self.sentences(text) {
            self.sound(&sentence, usize::MAX, &mut samples);
        }
        samples
    }

    /// The beginning of what is meant, in the melody of the whole. Nothing if it has other words on its own: "$5" are five
    /// dollars, and "$5 million" are not.
    fn beginning(&self, meant: &str, heard: &str) -> Option<Vec<i16>> {
        let heard: Vec<String> = self.sentences(heard).flat_map(|sentence| words(&sentence)).collect();
        let mut to_come = heard.as_slice();
        let mut samples = Vec::new();
        for mut sentence in self.sentences(meant) {
            let words = words(&sentence);
            if words.len() < to_come.len() {
                to_come = to_come.strip_prefix(words.as_slice())?;
                self.sound(&sentence, usize::MAX, &mut samples);
                continue;
            }
            words.starts_with(to_come).then_some(())?;
            let seconds = silence_after(&mut sentence, to_come.len())?;
            let length = (seconds * FLITE.voice.sample_rate as f32) as usize;
            self.sound(&sentence, length, &mut samples);
            return Some(samples);
        }
        None
    }

    /// A text as the synthesiser understands it, one sentence at a time.
    fn sentences(&self, text: &str) -> impl Iterator<Item = Utterance> {
        let sentences = split(text, LONGEST_PART).into_iter().flat_map(flite_rs::text::sentences);
        let analysed = sentences.map(|tokens| pipeline::analyse(&FLITE.language, &tokens, &self.params));
        analysed.take_while(|_| !(self.is_cancelled)())
    }

    /// Adds the sound of a sentence, at most so many samples of it.
    fn sound(&self, sentence: &Utterance, longest: usize, samples: &mut Vec<i16>) {
        let longest = samples.len().saturating_add(longest);
        voice::synthesise_streaming(&FLITE.voice, sentence, &self.params, &mut |period| {
            if samples.len() + period.len() > longest || (self.is_cancelled)() {
                return Flow::Stop;
            }
            samples.extend_from_slice(period);
            Flow::Continue
        });
    }
}

/// The words of a sentence as they are said: numbers and abbreviations in full.
fn words(sentence: &Utterance) -> Vec<String> {
    sentence.iter_relation("Word").map(|word| sentence.name(word).to_owned()).collect()
}

/// Silences every sound after so many words of a sentence, and gives the time at which the last of them ends, in seconds.
/// Nothing if none of them has a sound.
///
/// To stop there is not enough: a coming "s" colours the sound before it.
fn silence_after(sentence: &mut Utterance, words: usize) -> Option<f32> {
    let last_sound = ItemPath::parse("R:SylStructure.daughtern.daughtern.R:Segment");
    let heard = sentence.iter_relation("Word").take(words);
    let last = heard.filter_map(|word| path_to_item(sentence, word, &last_sound)).last()?;
    let mut rest = sentence.next(last);
    while let Some(sound) = rest {
        sentence.set_str(sound, "name", SILENCE);
        rest = sentence.next(sound);
    }
    Some(sentence.feature_f32(last, "end"))
}

/// The synthesiser's data.
struct Flite {
    language: Arc<Language>,
    voice: flite_rs::Voice,
}

static FLITE: LazyLock<Flite> = LazyLock::new(|| Flite {
    language: Engine::new().language(),
    voice: flite_rs::Voice::parse(flite_rs::KAL16_VOICE_DATA).expect("data that came with its reader"),
});

impl Flite {
    /// What the synthesiser is asked for, given that the formants are shifted afterwards: that raises pitch and pace by as
    /// much as it makes the throat smaller.
    fn params(&self, speaker: SpeakerParams) -> VoiceParams {
        let natural = self.voice.params();
        VoiceParams {
            int_f0_target_mean: speaker.pitch_hz / speaker.throat,
            int_f0_target_stddev: speaker.range_hz / speaker.throat,
            duration_stretch: natural.duration_stretch * speaker.throat / speaker.pace,
            ..natural
        }
    }
}

/// Cancels the synthesis when the future that waits for it is dropped: threads cannot be stopped from outside.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
