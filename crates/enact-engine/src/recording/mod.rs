//! Recordings: a whole run spoken into one file, with captions beside it.
//!
//! Lines are spoken several at a time and written in order, so that only a handful of them are ever in
//! memory, however long the run is. A line that cannot be spoken leaves a silence as long as it takes to read
//! it.

mod resample;
mod writer;

use std::{
    io::{self, Write},
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use enact_drama::{
    Seq,
    production::Failure,
    report::recording::{Cue, CueTimes, Plan, captions},
};
use futures::{StreamExt, stream};
use tempfile::NamedTempFile;
use tokio::time::{Instant, timeout_at};

use crate::{
    blocking::run_blocking,
    outputs::scratch_file_with_umask,
    voice::{Audio, Utterance, Voice, synthesize},
};

use self::writer::RecordingWriter;

/// Lines spoken at one time. Voices have limits of their own; this one bounds what waits in memory to be
/// written.
const MAX_CONCURRENT_LINES: usize = 8;

/// Lines that may fail before any is heard: by then the voice is at fault, and not the lines. Without this, a
/// service that never answers would cost its deadline for every line of the run.
const MAX_FAILED_LINES: usize = 8;

/// How long a line may take to speak, waiting for a service included. The next lines are spoken meanwhile.
const LINE_TIMEOUT: Duration = Duration::from_secs(120);

/// Fade-out at a cut: an abrupt stop within a wave would click.
const FADE: Duration = Duration::from_millis(8);

/// The last sound of a word is at least the loudest divided by this: -34 dB, where breath and noise begin.
const SILENCE_DIVISOR: u16 = 50;

/// A run that can be listened to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    pub duration_ms: u64,
    /// When each line of the plan is heard.
    pub heard: Vec<CueTimes>,
    /// Lines that could not be spoken.
    pub missed: Vec<Missed>,
    /// Where the captions are.
    pub captions: PathBuf,
}

/// A line that is not heard, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    pub line: Seq,
    /// Whose it is.
    pub who: String,
    /// One line for people, without secrets.
    pub error: String,
}

/// Why there is no recording. The run itself is safe in its log, and can be recorded again.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("nothing is said in this run")]
    NothingToSay,
    #[error("no line could be spoken: {0}")]
    NothingSpoken(String),
    #[error("the run is too long for one WAV file")]
    TooLong,
    #[error("the sound of a line could not be brought to {rate} samples a second: {error}")]
    Rate { rate: u32, error: String },
    #[error("could not write '{}'", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// The lines of a run, each spoken on its own.
#[derive(Debug, Default)]
pub struct SpokenLines {
    /// WAV files, by the seq of their line.
    pub lines: Vec<(Seq, Vec<u8>)>,
    /// How many lines have none: they could not be spoken, or there was no time or no room for them.
    pub missing: usize,
}

/// How many lines of a plan are to be heard.
pub fn lines_to_speak(plan: &Plan) -> usize {
    plan.cues.iter().filter(|cue| cue.speech.is_some()).count()
}

/// Each line that is heard as a WAV file of its own: as many as `most_bytes` have room for, and one more where that is
/// not all, so that its caller sees it; and none that is not spoken by `until`.
pub async fn record_lines(
    plan: &Plan,
    voice: Arc<dyn Voice>,
    most_bytes: usize,
    until: Option<Instant>,
) -> Result<SpokenLines, Error> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    for cue in plan.cues.iter().filter(|cue| cue.speech.is_some()) {
        let mut alone = Plan { title: plan.title.clone(), cues: vec![cue.clone()], notes: Vec::new() };
        alone.cues[0].pause_ms = 0;
        let folder =
            tempfile::tempdir().map_err(|source| Error::Io { path: std::env::temp_dir(), source })?;
        let file = folder.path().join("line.wav");
        let recorded = record(&alone, voice.clone(), &file, |_| {});
        let recorded = match until {
            None => Ok(recorded.await),
            Some(until) => timeout_at(until, recorded).await,
        };
        match recorded {
            Ok(Ok(_)) => {}
            Ok(Err(_)) => continue,
            Err(_) => break,
        }
        let sound = std::fs::read(&file).unwrap_or_default();
        bytes += sound.len();
        lines.push((cue.line, sound));
        if bytes > most_bytes {
            break;
        }
    }
    let missing = lines_to_speak(plan) - lines.len();
    Ok(SpokenLines { lines, missing })
}

/// Speaks a plan into a WAV file and writes captions beside it, in a file that ends in `.vtt`.
///
/// Both are there and whole when this returns, or what lay there before is. `progress` is told how many lines
/// are done. If the future is dropped, nothing is kept.
pub async fn record(
    plan: &Plan,
    voice: Arc<dyn Voice>,
    file: &Path,
    mut progress: impl FnMut(usize),
) -> Result<Recording, Error> {
    let takes = plan.cues.iter().map(|cue| {
        let (voice, speech) = (voice.clone(), cue.speech.clone());
        async move { speak_line(&*voice, speech).await }
    });
    // What cannot be replaced would only be found out when everything is spoken, and one of the two replaced.
    let captions_file = file.with_extension("vtt");
    [file, &captions_file].into_iter().try_for_each(replaceable)?;
    let mut takes = stream::iter(takes).buffered(MAX_CONCURRENT_LINES);
    let first: Vec<_> = takes.by_ref().take(MAX_CONCURRENT_LINES).collect().await;
    let rate = best_rate(&first);
    let mut takes = stream::iter(first).chain(takes);

    let mut writer = RecordingWriter::new(scratch(file)?, file.to_owned(), rate);
    let (mut heard, mut missed) = (Vec::with_capacity(plan.cues.len()), Vec::new());
    for cue in &plan.cues {
        let Some(take) = takes.next().await else { break };
        let take = take.unwrap_or_else(|failure| {
            missed.push(Missed::new(cue, &failure));
            None
        });
        let (pause_ms, otherwise_ms) = (cue.pause_ms, cue.reading_ms);
        let when;
        (writer, when) = run_blocking(move || {
            let when = writer.add(pause_ms, take, otherwise_ms)?;
            Ok((writer, when))
        })
        .await?;
        heard.push(when);
        progress(heard.len());
        if missed.len() >= MAX_FAILED_LINES && !writer.has_begun() {
            break;
        }
    }
    if !writer.has_begun() {
        let error = missed.into_iter().next().map(|missed| Error::NothingSpoken(missed.error));
        return Err(error.unwrap_or(Error::NothingToSay));
    }
    let (file, text) = (file.to_owned(), captions(plan, &heard));
    let (duration_ms, captions) = run_blocking(move || {
        let (sound, duration_ms) = writer.end()?;
        let mut captions = scratch(&captions_file)?;
        captions.write_all(text.as_bytes()).map_err(at(&captions_file))?;
        name(sound, &file)?;
        name(captions, &captions_file)?;
        Ok((duration_ms, captions_file))
    })
    .await?;
    Ok(Recording { duration_ms, heard, missed, captions })
}

/// The best rate among the first lines: a service that is out of breath at the very first of them, so that a
/// simpler voice stands in, does not make the whole recording sound like that.
fn best_rate(first: &[Result<Option<Audio>, Failure>]) -> Option<NonZeroU32> {
    let heard = first.iter().filter_map(|take| take.as_ref().ok()?.as_ref());
    heard.filter_map(|audio| NonZeroU32::new(audio.rate)).max()
}

/// Speaks a line; nothing, if it has no sound.
async fn speak_line(voice: &dyn Voice, speech: Option<Arc<Utterance>>) -> Result<Option<Audio>, Failure> {
    let Some(said) = speech else { return Ok(None) };
    let audio = synthesize(voice, &said, LINE_TIMEOUT).await?;
    Ok(Some(if said.meant.is_some() { trim_and_fade(audio) } else { audio }))
}

/// A sound that stops with its last word. Nothing is ever taken from a longer one: where a word ends in it
/// could only be guessed, and a guess that is late lets the next be heard.
fn trim_and_fade(mut audio: Audio) -> Audio {
    let loudest = audio.samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or_default();
    let last = audio.samples.iter().rposition(|sample| sample.unsigned_abs() > loudest / SILENCE_DIVISOR);
    audio.samples.truncate(last.map_or(0, |last| last + 1));
    let fade = (FADE.as_secs_f64() * f64::from(audio.rate)) as usize;
    let fading = audio.samples.len().saturating_sub(fade);
    for (passed, sample) in audio.samples[fading..].iter_mut().enumerate() {
        *sample = (f64::from(*sample) * (1.0 - (passed + 1) as f64 / fade as f64)) as i16;
    }
    audio
}

impl Missed {
    fn new(cue: &Cue, failure: &Failure) -> Missed {
        Missed { line: cue.line, who: cue.who.clone(), error: failure.error.clone() }
    }
}

fn replaceable(path: &Path) -> Result<(), Error> {
    if path.is_dir() { Err(at(path)(io::ErrorKind::IsADirectory.into())) } else { Ok(()) }
}

/// A file beside one that is wanted, so that it only has to be given its name.
fn scratch(path: &Path) -> Result<NamedTempFile, Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    scratch_file_with_umask(folder).map_err(at(path))
}

fn name(file: NamedTempFile, path: &Path) -> Result<(), Error> {
    file.persist(path).map(drop).map_err(|error| at(path)(error.error))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Io { path: path.to_owned(), source }
}
