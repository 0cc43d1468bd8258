//! Scenes that are listened to, through the real binary and the embedded voice.

use std::{fs, path::Path, process::Stdio};

use crate::project::{Project, Ran};

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
maxBeats: 4
---
Bob apologizes to Alice for being late. Alice accepts.
";

/// Bob is cut off by Alice, and something happens.
const SCRIPT: &str = "beat 0
bob: [TO: Alice, TONE: nervous] \"I can explain what happened this morning with the train.\"
beat 1
alice: [INTERRUPT after \"I can explain\", TONE: angry] \"No, you cannot.\"
bob: [SILENT, *looks down*]
beat 2
bob: [REACT, TONE: sad, *sighs*]
alice: [TONE: calm] \"*sits down* Fine. Tell me.\"
";

/// What a recording holds: its length in milliseconds, and the loudest of it.
fn heard(file: &Path) -> (u64, u16) {
    let mut reader =
        hound::WavReader::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let spec = reader.spec();
    assert_eq!((spec.channels, spec.bits_per_sample), (1, 16));
    let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
    let loudest = samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
    (samples.len() as u64 * 1_000 / u64::from(spec.sample_rate), loudest)
}

/// The start and the end of each caption in milliseconds.
fn times(captions: &str) -> Vec<(u64, u64)> {
    let ms = |stamp: &str| -> u64 {
        let numbers: Vec<u64> = stamp.split([':', '.']).map(|number| number.parse().unwrap()).collect();
        ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1_000 + numbers[3]
    };
    let stamps = captions.lines().filter_map(|line| line.split_once(" --> "));
    stamps.map(|(start, end)| (ms(start), ms(end))).collect()
}

fn spoken(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.contains("] \"") || line.starts_with("[EVENT: ")).count()
}

#[test]
fn an_example_is_heard_as_it_is_read() {
    let project = Project::empty();
    let example = format!("{}/../../examples/the-apology/scene.md", env!("CARGO_MANIFEST_DIR"));
    let ran = project.run(&["run", &example, "--seed", "7", "--voice", "embedded", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let lines = ran.lines();

    let scene = project.path().join("data/scenes/the-apology");
    let captions = project.read("data/scenes/the-apology/recording.vtt");
    let (length_ms, loudest) = heard(&scene.join("recording.wav"));
    let times = times(&captions);
    assert_eq!(times.len(), spoken(&lines), "{captions}\n{lines:#?}");
    assert!(times.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{captions}");
    assert_eq!(times.last().unwrap().1, length_ms);
    let words = lines.iter().filter_map(|line| line.split_once("] \"")).map(|(_, said)| said);
    let words = words.flat_map(str::split_whitespace).count() as u64;
    assert!((150 * words..800 * words).contains(&length_ms), "{words} words in {length_ms} ms");
    assert!(loudest > 3_000, "{loudest}");

    // The log alone says how it sounds: spoken again, it is the same to the last byte.
    let run = ran.json()["metadata"]["runId"].as_str().unwrap().to_owned();
    for file in ["recording.wav", "recording.vtt"] {
        assert!(scene.join("runs").join(&run).join(file).is_file());
    }
    let again = project.run(&["export", &run, "--format", "wav", "-o", "again.wav"]);
    assert_eq!((again.code, again.stdout.as_str(), again.stderr.as_str()), (0, "", ""));
    assert!(
        fs::read(project.path().join("again.wav")).unwrap() == fs::read(scene.join("recording.wav")).unwrap()
    );
    assert_eq!(project.read("again.vtt"), captions);
}

fn interrupted(project: &Project, more: &[&str]) -> Ran {
    project.write("scene.md", SCENE);
    project.write("lines.txt", SCRIPT);
    project.run(&[&["run", "scene.md", "--model", "script:lines.txt"], more].concat())
}

#[test]
fn who_interrupts_is_heard_at_once() {
    let project = Project::new();
    let ran = interrupted(&project, &["--voice"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("\nRecording: data/scenes/late-again/recording.wav\n"), "{}", ran.stdout);
    let captions = project.read("data/scenes/late-again/recording.vtt");
    let words: Vec<&str> = captions.lines().filter(|line| line.starts_with('<')).collect();
    assert_eq!(
        words[..3],
        [
            "<v Bob>I can explain—</v>",
            "<v Alice>No, you cannot.</v>",
            "<v Alice>*sits down* Fine. Tell me.</v>"
        ]
    );
    let times = times(&captions);
    assert_eq!(times[0].1, times[1].0, "{captions}");
    assert!(times[0].1 < 2_000, "three words: {captions}");
    assert!(times[1].1 + 400 <= times[2].0, "{captions}");
}

/// How much of a sound hisses, in milliseconds: an `s` has most of its power above 4 kHz, and no vowel does.
fn hissing_ms(samples: &[i16]) -> usize {
    const STEP: usize = 80;
    let hisses = |window: &&[i16]| {
        let power = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
        let all = power(&mut window.iter().map(|sample| f64::from(*sample)));
        let steps = power(&mut window.windows(2).map(|pair| f64::from(pair[1]) - f64::from(pair[0])));
        steps > 1.5 * all && all > window.len() as f64 * 150.0_f64.powi(2)
    };
    samples.windows(2 * STEP).step_by(STEP).filter(hisses).count() * 5
}

#[test]
fn nothing_is_heard_of_what_was_cut_off() {
    let project = Project::new();
    project.write("scene.md", SCENE);
    for (before, after) in [
        ("You; you", "stole seven silver spoons."),
        ("Oh, well", "stole seven silver spoons."),
        ("Oh, well", "shouted!"),
        ("I. mile no — we", "six"),
        ("No... man! Mine", "so. So she said"),
        ("You", "six"),
        ("We are all here now", "secretly, she shot Susan."),
    ] {
        let script = format!(
            "beat 0\nbob: [TO: Alice] \"{before} {after}\"\nbeat 1\nalice: [INTERRUPT after \"{before}\", TONE: angry] \"No!\"\n"
        );
        project.write("lines.txt", script);
        let ran =
            project.run(&["run", "scene.md", "--model", "script:lines.txt", "--max-beats", "2", "--voice"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let captions = project.read("data/scenes/late-again/recording.vtt");
        assert!(captions.contains(&format!("<v Bob>{before}—</v>")), "{captions}");
        let file = project.path().join("data/scenes/late-again/recording.wav");
        let samples: Vec<i16> = hound::WavReader::open(file).unwrap().samples().map(Result::unwrap).collect();
        let (bob, _) = samples.split_at(times(&captions)[0].1 as usize * 16);
        assert_eq!(hissing_ms(bob), 0, "{before} | {after}");
    }
}

#[test]
fn voices_of_sheets_are_checked_before_the_scene() {
    let project = Project::new();
    project.write(
        ".claude/agents/bob.md",
        "---\nvoice: calm_smoothing\n---\n# Bob\n\n## Personality\n- Optimistic\n",
    );
    let ran = interrupted(&project, &["--voice"]);
    let note = "note: bob.md: there is no voice 'calm_smoothing': did you mean 'calm_soothing'?\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (0, note));

    let unknown = interrupted(&project, &["--voice", "bass"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("bass") && unknown.stdout.is_empty(), "{}", unknown.stderr);
    let swallowed = project.run(&["run", "--voice", "scene.md"]);
    assert_eq!(swallowed.code, 2);
    assert!(swallowed.stderr.contains("enact run scene.md --voice"), "{}", swallowed.stderr);
}

#[test]
fn a_scene_stands_even_if_nobody_can_be_heard() {
    let project = Project::new();
    let silent = "beat 0\nbob: [TONE: calm] \"…\"\n";
    project.write("scene.md", SCENE);
    project.write("lines.txt", silent);
    let ran = project.run(&["run", "scene.md", "--model", "script:lines.txt", "--max-beats", "1", "--voice"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("note: there is no recording: nothing is said in this run"),
        "{}",
        ran.stderr
    );
    assert!(!project.files().iter().any(|file| file.ends_with(".wav")), "{:?}", project.files());
}

#[test]
fn recordings_are_exported_to_files_and_pipes() {
    let project = Project::new();
    interrupted(&project, &[]);
    assert!(!project.files().iter().any(|file| file.ends_with(".wav")), "nobody asked for one");

    let piped = project.command(&["export", "latest", "--format", "wav"]).output().unwrap();
    assert!(piped.status.success());
    let file = project.write("piped.wav", &piped.stdout);
    assert!(heard(&file).0 > 1_000);
    let mut unread = project.command(&["export", "latest", "--format", "wav"]);
    let mut unread = unread.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(unread.stdout.take());
    let unread = Ran::from(unread.wait_with_output().unwrap());
    assert_eq!((unread.code, unread.stderr.as_str()), (0, ""), "who stops listening has heard enough");
    let named = project.run(&["export", "latest", "--format", "wav", "-o", "named.wav"]);
    assert_eq!(named.code, 0, "{}", named.stderr);
    assert!(fs::read(project.path().join("named.wav")).unwrap() == piped.stdout);

    // In a folder it is named for the run, and where it is gets printed.
    let run = project.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    fs::create_dir(project.path().join("there")).unwrap();
    for (folder, format) in [("there", "wav"), ("there", "txt"), ("new/one/", "jsonl"), ("new/one", "vtt")] {
        let ran = project.run(&["export", "latest", "--format", format, "-o", folder]);
        let file = Path::new(folder).join(format!("{run}.{format}")).display().to_string();
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, &*format!("{file}\n"), ""));
        assert!(project.path().join(&file).is_file(), "{file}");
    }
    let captions = format!("there/{run}.vtt");
    assert!(project.path().join(captions).is_file(), "the captions of a recording stand beside it");

    for (args, why) in [
        (&["--format", "wav", "-o", "x.vtt"][..], "name the recording itself"),
        (&["--format", "wav", "-o", "x.wav", "--voice", "none"], "nothing to record"),
        (&["--format", "txt", "--voice", "embedded"], "--format wav"),
        (&["--format", "mp3"], "wav or jsonl"),
    ] {
        let ran = project.run(&[&["export", "latest"], args].concat());
        assert!(ran.code == 2 && ran.stderr.contains(why), "{args:?}: {} {}", ran.code, ran.stderr);
    }
    assert!(!project.files().iter().any(|file| file.starts_with("x.")), "{:?}", project.files());
}
