//! Other programs that speak.
#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt, path::Path, sync::Arc, time::Duration};

use enact_drama::voice::VoiceProfile;
use enact_engine::{Voice, wav};
use enact_testkit::{PATIENCE, until};
use enact_voices::{CommandSettings, VoiceService, VoiceSettings, connect};
use expect_test::expect;
use tempfile::TempDir;

use crate::{embedded, line, say, spoken_as};

/// A script that speaks, in a folder of its own.
fn script(folder: &TempDir, body: &str) -> Arc<dyn Voice> {
    let program = folder.path().join("speak");
    fs::write(&program, format!("#!/bin/sh\ncd \"{}\"\n{body}\n", folder.path().display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let args = vec!["--as".to_owned(), "{profile}".to_owned(), "; touch injected".to_owned()];
    let command = CommandSettings { program, args, private: vec!["CARGO_PKG_NAME".to_owned()] };
    connect(VoiceSettings::new("tin", VoiceService::Command(command))).unwrap()
}

/// Something to speak with: a WAV that is there already.
async fn recording(folder: &TempDir) {
    let audio = say(&embedded(), "Hello, this is a recording.").await.unwrap();
    fs::write(folder.path().join("hello.wav"), wav(&audio).unwrap()).unwrap();
}

fn read(path: &Path, name: &str) -> String {
    fs::read_to_string(path.join(name)).unwrap_or_default()
}

#[tokio::test]
async fn a_program_speaks() {
    let folder = TempDir::new().unwrap();
    recording(&folder).await;
    let voice = script(&folder, "cat > heard; printf '%s\\n' \"$@\" > args; cat hello.wav");
    let audio = voice
        .speak(spoken_as("Say `this`; $(touch injected)", VoiceProfile::CalmSoothing, 0), PATIENCE)
        .await
        .unwrap();
    assert_eq!((audio.rate, audio.by.as_str()), (16_000, "tin (command, speak)"));
    assert!(audio.duration() > Duration::from_secs(1));
    assert_eq!(read(folder.path(), "heard"), "Say this; $(touch injected)\n");
    assert_eq!(read(folder.path(), "args"), "--as\ncalm_soothing\n; touch injected\n");
    assert!(!folder.path().join("injected").exists());
}

#[tokio::test]
async fn programs_fail_with_their_own_words() {
    for (body, expected) in [
        (
            "echo first >&2; echo 'no such\tvoice' >&2; echo >&2; exit 3",
            expect!["the program 'speak' failed with exit code 3: no such voice"],
        ),
        ("exit 1", expect!["the program 'speak' failed with exit code 1"]),
        ("echo hm >&2", expect!["the program 'speak' said nothing: hm"]),
        ("kill -9 $$", expect!["the program 'speak' was ended by a signal"]),
        ("echo hello", expect!["what came back is no audio that can be read: it is no WAV"]),
        ("cat hello.wav; exit 4", expect!["the program 'speak' failed with exit code 4"]),
        (
            "head -c 1000 hello.wav",
            expect!["what came back is no audio that can be read: it breaks off after 956 of <n> bytes"],
        ),
        ("cat /dev/zero", expect!["what came back was longer than 64 MB"]),
    ] {
        let folder = TempDir::new().unwrap();
        recording(&folder).await;
        let error = say(&script(&folder, body), "Hello").await.unwrap_err().error;
        let length = fs::metadata(folder.path().join("hello.wav")).unwrap().len() - 44;
        expected.assert_eq(&error.replace(&length.to_string(), "<n>"));
    }
}

#[tokio::test]
async fn a_program_that_does_not_listen_may_speak_all_the_same() {
    let folder = TempDir::new().unwrap();
    recording(&folder).await;
    let voice = script(&folder, "exec < /dev/null; cat hello.wav");
    let text = "Many words that nobody reads. ".repeat(300);
    assert!(voice.speak(line(&text), PATIENCE).await.is_ok());
}

#[tokio::test]
async fn a_program_that_hangs_is_ended_with_all_it_has_started() {
    let folder = TempDir::new().unwrap();
    let voice = script(&folder, "(exec sleep 1000) & echo $! > pid; wait");
    let failure = voice.speak(line("Hello"), Duration::from_secs(3)).await.unwrap_err();
    assert_eq!(failure.error, "speech timeout after 3s");
    wait_until_gone(&read(folder.path(), "pid")).await;
}

#[tokio::test]
async fn a_program_that_ends_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    recording(&folder).await;
    let voice = script(
        &folder,
        "(exec sleep 1000 < /dev/null > /dev/null 2>&1) & echo $! > pid; cat > /dev/null; cat hello.wav",
    );
    assert!(say(&voice, "Hello").await.is_ok());
    wait_until_gone(&read(folder.path(), "pid")).await;
}

#[tokio::test]
async fn processes_that_a_program_leaves_behind_are_not_waited_for() {
    // In the program's group, where it is ended, and in one of its own, where it is not.
    for begin in ["", "setsid "] {
        let folder = TempDir::new().unwrap();
        recording(&folder).await;
        let body = format!("{begin}sleep 30 & echo $! > pid; cat > /dev/null; cat hello.wav");
        let began = std::time::Instant::now();
        say(&script(&folder, &body), "Hello").await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(20), "{begin}");
    }
}

#[tokio::test]
async fn complaints_do_not_repeat_what_is_private() {
    let folder = TempDir::new().unwrap();
    let body = format!("cat > /dev/null; echo 'not with {}' >&2; exit 1", env!("CARGO_PKG_NAME"));
    let failure = say(&script(&folder, &body), "Hello").await.unwrap_err();
    assert_eq!(failure.error, "the program 'speak' failed with exit code 1: not with …");
}

/// Waits for a process that was ended: the kernel takes a moment to bury it.
async fn wait_until_gone(pid: &str) {
    assert!(!pid.is_empty());
    let process = Path::new("/proc").join(pid.trim());
    until(async || !is_alive(&process)).await;
}

fn is_alive(process: &Path) -> bool {
    fs::read_to_string(process.join("stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

#[tokio::test]
async fn a_program_does_not_see_what_is_private() {
    let folder = TempDir::new().unwrap();
    recording(&folder).await;
    let voice = script(&folder, "env > seen; cat > /dev/null; cat hello.wav");
    assert!(say(&voice, "Hello").await.is_ok());
    let seen = read(folder.path(), "seen");
    // Cargo sets both for tests.
    let sees = |name: &str| seen.lines().any(|line| line.starts_with(&format!("{name}=")));
    assert_eq!((sees("CARGO_PKG_VERSION"), sees("CARGO_PKG_NAME")), (true, false), "{seen}");
}

#[tokio::test]
async fn a_program_that_disappears_is_not_run() {
    let folder = TempDir::new().unwrap();
    let voice = script(&folder, "true");
    fs::remove_file(folder.path().join("speak")).unwrap();
    let failure = say(&voice, "Hello").await.unwrap_err();
    assert!(failure.error.starts_with("the program 'speak' cannot be run: "), "{}", failure.error);
}
