//! Who is heard when, and that nothing is heard of what was not said.

use expect_test::expect;

use super::{
    scene::{Listened, Scene, recorded},
    tones::{ALICE_HZ, BOB_HZ, NARRATOR_HZ, SECRET_HZ, Tones, strength},
};

/// Short enough to tell words apart.
const WINDOW_MS: usize = 20;

/// What is heard, as one character for each window: who speaks alone, `.` for silence, `?` for anything else.
fn heard(what: &Listened) -> String {
    let window = what.rate as usize * WINDOW_MS / 1_000;
    let tones = [('A', ALICE_HZ), ('B', BOB_HZ), ('N', NARRATOR_HZ), ('!', SECRET_HZ)];
    let letter = |samples: &[i16]| {
        if samples.iter().all(|sample| *sample == 0) {
            return '.';
        }
        let strengths = tones.map(|(letter, hz)| (letter, strength(samples, what.rate, hz)));
        // A fade leaves most of a window.
        let alone: Vec<char> =
            strengths.iter().filter(|(_, s)| *s > 0.5).map(|(letter, _)| *letter).collect();
        let faint = strengths.iter().filter(|(_, s)| *s > 0.15).count();
        if let ([only], 1) = (alone.as_slice(), faint) { *only } else { '?' }
    };
    what.samples.chunks(window).map(letter).collect()
}

/// The same, shorter: `A×10 .×20`.
fn shown(what: &Listened) -> String {
    let letters: Vec<char> = heard(what).chars().collect();
    let runs = letters.chunk_by(|a, b| a == b).map(|run| format!("{}×{}", run[0], run.len()));
    runs.collect::<Vec<_>>().join(" ")
}

fn interrupted() -> Scene {
    Scene::new()
        .says("alice", "You are late.")
        .says("bob", "Let me explain WHAT HAPPENED THERE.")
        .breaks_in("alice", "me explain", "No more of it.")
        .event("It rains.")
}

#[tokio::test(start_paused = true)]
async fn cuts_are_heard_as_cuts() {
    let heard = recorded(interrupted(), Tones::default()).await.unwrap();
    // Three words, a breath, three of six words, and at once who interrupts.
    expect!["A×30 .×20 B×30 A×40 .×20 N×20"].assert_eq(&shown(&heard));
    expect![[r#"
        WEBVTT - Tones

        NOTE These are the times of the recording.

        1
        00:00:00.000 --> 00:00:00.600
        <v Alice>You are late.</v>

        2
        00:00:01.000 --> 00:00:01.600
        <v Bob>Let me explain—</v>

        3
        00:00:01.600 --> 00:00:02.400
        <v Alice>No more of it.</v>

        4
        00:00:02.800 --> 00:00:03.200
        <i>[It rains.]</i>
    "#]]
    .assert_eq(&heard.captions);
    assert_eq!(heard.recording.duration_ms, 3_200);
    assert_eq!(heard.samples.len(), 3_200 * 16);
}

#[tokio::test(start_paused = true)]
async fn a_cut_does_not_click() {
    let heard = recorded(interrupted(), Tones::default()).await.unwrap();
    let cut = heard.line(1);
    assert_eq!(cut.last(), Some(&0));
    let last = cut[cut.len() - 16..].iter().map(|sample| sample.unsigned_abs()).max().unwrap();
    assert!(last < 1_200, "the last millisecond is nearly silent: {last}");
    let before = cut[..cut.len() - 8 * 16].iter().map(|sample| sample.unsigned_abs()).max().unwrap();
    assert!(before > 7_900, "and nothing else is: {before}");
}

#[tokio::test(start_paused = true)]
async fn a_cut_inside_a_word_leaves_the_words_before() {
    let scene = Scene::new().says("bob", "We can EXPLAIN THIS.").breaks_in("alice", "EXPL", "No.");
    expect!["B×20 A×10"].assert_eq(&shown(&recorded(scene, Tones::default()).await.unwrap()));
}

#[tokio::test(start_paused = true)]
async fn all_voices_are_heard_at_one_rate() {
    let tones = Tones { bobs_rate: Some(24_000), ..Tones::default() };
    let heard = recorded(interrupted(), tones).await.unwrap();
    assert_eq!(heard.rate, 24_000, "the best, though the first has another");
    expect!["A×30 .×20 B×30 A×40 .×20 N×20"].assert_eq(&shown(&heard));
}
