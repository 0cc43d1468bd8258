use enact_drama::voice::VoiceProfile;
use proptest::prelude::*;

use super::*;
use crate::loudness;

const SENTENCE: &str = "We were all waiting for you, and now you tell me that nobody will come.";

#[test]
fn profiles_differ_in_pitch_and_pace() {
    let heard: Vec<Heard> = VoiceProfile::ALL.into_iter().map(|profile| Heard::of(profile, 0)).collect();
    for (what, least, mut values) in [
        // Two and a half semitones: more than an ear mistakes.
        ("pitch", 1.155, heard.iter().map(|heard| heard.pitch).collect::<Vec<_>>()),
        ("length", 1.06, heard.iter().map(|heard| heard.seconds).collect()),
    ] {
        values.sort_by(f32::total_cmp);
        for pair in values.windows(2) {
            assert!(pair[1] / pair[0] > least, "{what}: {values:?}");
        }
    }
}

#[test]
fn pitch_is_what_was_asked_for() {
    for profile in VoiceProfile::ALL {
        let (heard, wanted) = (Heard::of(profile, 0).pitch, SpeakerParams::of(profile, 0).pitch_hz);
        // The middle of a sentence lies below the middle of its melody, which falls towards the end.
        assert!((0.88..1.02).contains(&(heard / wanted)), "{profile:?}: {heard} Hz for {wanted}");
    }
}

/// Plain prose: 39 words.
const PROSE: &str = "We were all waiting for you at the station this morning, and now you tell me that nobody will \
                     come. The train was late, so I bought some bread and sat down by the window to watch the rain.";

#[test]
fn everybody_speaks_as_fast_as_people_do() {
    let words = PROSE.split_whitespace().count() as f32;
    for profile in VoiceProfile::ALL {
        for variant in 0..12 {
            let pcm = said(PROSE, profile, variant);
            let a_minute = words * 60.0 * pcm.rate as f32 / pcm.samples.len() as f32;
            let usual = if variant == 0 { 142.0..197.0 } else { 133.0..210.0 };
            assert!(usual.contains(&a_minute), "{profile:?} {variant}: {a_minute} words a minute");
        }
    }
}

#[test]
fn some_could_be_women_and_some_men() {
    let heard = VoiceProfile::ALL.map(|profile| Heard::of(profile, 0));
    // Women speak at 140 to 255 Hz, with resonances a seventh or so above those of men.
    let women = heard.iter().filter(|heard| (140.0..255.0).contains(&heard.pitch) && heard.throat > 1.12);
    let men = heard.iter().filter(|heard| (75.0..130.0).contains(&heard.pitch) && heard.throat < 1.05);
    assert_eq!((women.count(), men.count()), (4, 2), "{heard:?}");
    // However many of a profile there are, none of them growls or squeaks.
    for profile in VoiceProfile::ALL {
        for variant in 0..12 {
            let pitch = Heard::of(profile, variant).pitch;
            assert!((55.0..360.0).contains(&pitch), "{profile:?} {variant}: {pitch} Hz");
        }
    }
}

#[test]
fn variants_of_a_profile_are_different_speakers() {
    let variants: Vec<Heard> =
        (0..12).map(|variant| Heard::of(VoiceProfile::FriendlyCasual, variant)).collect();
    for (place, one) in variants.iter().enumerate() {
        for (other, two) in variants.iter().enumerate().skip(place + 1) {
            let apart = |a: f32, b: f32| (a / b).max(b / a);
            let (pitch, throat) = (apart(one.pitch, two.pitch), apart(one.throat, two.throat));
            assert!(pitch > 1.07 || throat > 1.09, "{place} and {other}: {one:?} {two:?}");
        }
    }
    assert_eq!(Heard::of(VoiceProfile::FriendlyCasual, 12), variants[0]);
}

#[test]
fn every_profile_is_as_loud_as_the_others() {
    for profile in VoiceProfile::ALL {
        for text in [SENTENCE, "No.", "Oh! Well, if you say so..."] {
            let pcm = loudness::level(said(text, profile, 0)).unwrap();
            let loudness = loudness::loudness(&pcm).unwrap();
            assert!((loudness - loudness::TARGET_LUFS).abs() < 0.5, "{profile:?} {text}: {loudness} LUFS");
            assert!(pcm.peak() <= loudness::CEILING);
        }
    }
}

#[test]
fn a_cancelled_synthesis_stops() {
    let params = SpeakerParams::of(VoiceProfile::FriendlyCasual, 0);
    assert_eq!(synthesize(SENTENCE, None, params, || true), Pcm::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_is_said_or_refused(text in "([a-zA-Z0-9$.,:;'\"/()-]{0,8} ?){0,8}|\\PC{0,40}") {
        let Some(text) = transliterate::to_english(&crate::text::spoken(&text)) else { return Ok(()) };
        let pcm = synthesize(&text, None, SpeakerParams::of(VoiceProfile::EnergeticUpbeat, 3), || false);
        prop_assert!(pcm.samples.iter().all(|sample| sample.is_finite()));
    }
}

#[test]
fn who_is_cut_off_meant_to_go_on() {
    let params = SpeakerParams::of(VoiceProfile::WarmProfessional, 0);
    let heard = |meant: Option<&str>, heard: &str| synthesize(heard, meant, params, || false);
    for (text, rest) in [
        ("You; you", " stole seven silver spoons."),
        ("I can explain", " what happened."),
        ("No. Wait. I can", ", if you let me. Please."),
        ("It was twenty", "-one of them."),
        ("Dr. Smith and 3 of", " his 12 friends were there."),
    ] {
        let meant = text.to_owned() + rest;
        let (cut, alone) = (heard(Some(&meant), text), heard(None, text));
        assert_ne!(cut, alone, "{meant}: the melody is that of the whole");
        let longer = cut.samples.len() as f32 / alone.samples.len() as f32;
        assert!((0.5..1.0).contains(&longer), "{meant}: {longer} of its length alone, which ends in silence");
    }
    // Words that are others on their own are said on their own.
    for (text, rest) in [("They owe me $5", " million."), ("He lives in St", ". Mary Street."), ("Wai", "t!")]
    {
        let meant = text.to_owned() + rest;
        assert_eq!(heard(Some(&meant), text), heard(None, text), "{meant}");
    }
}

/// Words in which nothing hisses, with all that makes a pause between them.
const QUIET: &str = "((oh|well|no|you|we|are|all|here|now|mine|I|am|may|run|man|mile|long|my|own)( |, |\\. |; |\\.\\.\\. |! |\\? | - | — |: )){1,8}";

/// Words that begin with a hiss.
const HISSING: &str = "(stole|secretly|six|so|seven)(,? (stole|Susan|said so|so\\. So|six))*[.!]?";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_after_a_cut_is_heard(before in QUIET, after in HISSING, profile in 0_usize..6, variant in 0_u8..10) {
        let text = |text: &str| transliterate::to_english(text).unwrap();
        let heard = before.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned() + "—";
        let params = SpeakerParams::of(VoiceProfile::ALL[profile], variant);
        let said = |meant: Option<String>, heard: &str| {
            loudness::level(synthesize(&text(heard), meant.as_deref(), params, || false)).unwrap()
        };
        let mut cut = said(Some(text(&(before.clone() + &after))), &heard);
        // What is not to be heard would be heard last. Further back a breath between two words may hiss for a
        // moment.
        cut.samples.drain(..cut.samples.len().saturating_sub(cut.rate as usize * 15 / 100));
        prop_assert!(hissing_ms(&cut) < 10);
        prop_assert!(hissing_ms(&said(None, &after)) > 30, "{}", after);
    }
}

/// How much of a clip hisses, in milliseconds: an "s" has most of its power above 4 kHz, and no vowel does.
fn hissing_ms(pcm: &Pcm) -> usize {
    let window = pcm.rate as usize / 100;
    let hisses = |window: &&[f32]| {
        let all: f32 = window.iter().map(|sample| sample.powi(2)).sum();
        let steps: f32 = window.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        steps > 1.5 * all && all > window.len() as f32 * 0.005_f32.powi(2)
    };
    pcm.samples.windows(window).step_by(window / 2).filter(hisses).count() * 5
}

/// What ears make of a voice.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Heard {
    pitch: f32,
    seconds: f32,
    /// Not measured, because vowels would have to be found first.
    throat: f32,
}

impl Heard {
    fn of(profile: VoiceProfile, variant: u8) -> Heard {
        let pcm = said(SENTENCE, profile, variant);
        let seconds = pcm.samples.len() as f32 / pcm.rate as f32;
        Heard { pitch: pitch(&pcm), seconds, throat: SpeakerParams::of(profile, variant).throat }
    }
}

fn said(text: &str, profile: VoiceProfile, variant: u8) -> Pcm {
    synthesize(text, None, SpeakerParams::of(profile, variant), || false)
}

/// The median pitch of a clip in Hz: for each voiced moment, the lag at which it resembles itself most.
fn pitch(pcm: &Pcm) -> f32 {
    // Half the samples are enough for what lies below 500 Hz.
    let samples: Vec<f32> = pcm.samples.chunks_exact(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    let rate = pcm.rate as usize / 2;
    let (window, shortest, longest) = (rate / 25, rate / 450, rate / 50);
    let moments = samples.windows(window + longest).step_by(rate / 25);
    let mut found: Vec<f32> = moments.filter_map(|moment| pitch_of(moment, window, shortest)).collect();
    found.sort_by(f32::total_cmp);
    rate as f32 / found[found.len() / 2]
}

/// The period of a moment in samples, if it has one.
fn pitch_of(moment: &[f32], window: usize, shortest: usize) -> Option<f32> {
    let now = &moment[..window];
    let power = |samples: &[f32]| samples.iter().map(|sample| sample * sample).sum::<f32>();
    if power(now) / (window as f32) < 1e-4 {
        return None;
    }
    let alike = |lag: usize| {
        let later = &moment[lag..lag + window];
        let both: f32 = now.iter().zip(later).map(|(a, b)| a * b).sum();
        both / (power(now) * power(later)).sqrt().max(1e-6)
    };
    let scores: Vec<f32> = (shortest..=moment.len() - window).map(alike).collect();
    let best = scores.iter().copied().fold(0.0, f32::max);
    // The first that is nearly as good as the best: its multiples are as good as it is.
    let is_peak = |near: &[f32]| near[1] > 0.9 * best && near[1] >= near[0] && near[1] >= near[2];
    let first = scores.windows(3).position(is_peak)?;
    (best > 0.6).then_some((shortest + first + 1) as f32)
}
