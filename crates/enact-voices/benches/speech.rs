//! How fast the embedded voice speaks, from text to a level recording: seconds of speech made in one second
//! of one processor.
//!
//! Fails where that is below the bar: a turn of a chorus shall be heard before its listeners wonder whether
//! it will.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and panics where it cannot measure"
)]

use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use enact_drama::voice::{Utterance, VoiceProfile};
use enact_voices::{VoiceService, VoiceSettings, connect};

/// How much faster than people it has to be.
const BAR: f64 = 100.0;

/// Long enough that the clock's own ticks do not matter.
const MEASURED: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let voice = connect(VoiceSettings::new("embedded", VoiceService::Embedded)).unwrap();
    let say = |text: &str, profile| {
        let utterance = Arc::new(Utterance { text: text.to_owned(), meant: None, profile, variant: 0 });
        runtime.block_on(voice.speak(utterance, Duration::from_secs(600))).unwrap().duration()
    };
    // The first call reads the embedded data.
    let began = Instant::now();
    say("Hello.", VoiceProfile::default());
    println!("the first word                {:>8.1} ms", began.elapsed().as_secs_f64() * 1e3);
    let mut slowest = f64::INFINITY;
    for (name, text) in texts() {
        for profile in VoiceProfile::ALL {
            let (began, mut spoken, mut times) = (Instant::now(), Duration::ZERO, 0);
            while times == 0 || began.elapsed() < MEASURED {
                spoken += say(&text, profile);
                times += 1;
            }
            let factor = spoken.as_secs_f64() / began.elapsed().as_secs_f64();
            let each = began.elapsed().as_secs_f64() * 1e3 / f64::from(times);
            println!("{name:<10} {:<18} {each:>8.1} ms {factor:>8.0} times real time", profile.as_str());
            slowest = slowest.min(factor);
        }
    }
    println!("slowest: {slowest:.0} times real time; the bar is {BAR:.0}");
    if slowest < BAR { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Texts as choruses and scenes have them, and one that is far too long.
fn texts() -> [(&'static str, String); 4] {
    let response = "I keep thinking about the lighthouse you mentioned. It must have been lonely, and yet somebody lit it every \
                    night for strangers. Perhaps that is the whole of kindness.";
    [
        ("a word", "Never.".to_owned()),
        ("a response", response.to_owned()),
        ("ten minutes", format!("{response} ").repeat(58)),
        ("one word", "a".repeat(5_000)),
    ]
}
