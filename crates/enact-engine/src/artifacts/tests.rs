use expect_test::expect;
use proptest::prelude::*;

use super::*;

fn folder() -> (tempfile::TempDir, Artifacts) {
    let beside = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::in_folder(beside.path().join("artifacts"));
    (beside, artifacts)
}

fn keep(artifacts: &Artifacts, path: &str, text: &str) -> Result<(), Error> {
    artifacts.write(path, text.as_bytes(), |_| Ok(()))
}

/// Every file and link below a folder, by its path.
fn everything(folder: &Path) -> Vec<String> {
    fn look(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                look(&path, root, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    look(folder, folder, &mut found);
    found.sort();
    found
}

#[test]
fn what_is_kept_is_found_and_replaced_whole() {
    let (beside, artifacts) = folder();
    let path = "tts/sessions/1/turn_1/slot-1_gpt-4o_calm_soothing.wav";
    assert!(matches!(artifacts.find(path), Err(Error::NotFound(_))));
    keep(&artifacts, path, "once").unwrap();
    keep(&artifacts, path, "again").unwrap();
    let found = artifacts.find(path).unwrap();
    assert_eq!(fs::read_to_string(&found).unwrap(), "again");
    assert_eq!(everything(beside.path()), [format!("artifacts/{path}")]);
    assert!(matches!(artifacts.find("tts/sessions"), Err(Error::NotFound(_))), "a folder is no artifact");
}

#[test]
fn what_the_dead_were_writing_is_swept_and_nothing_else() {
    let (beside, artifacts) = folder();
    for path in ["1/turn_1/a.wav", "1/session.json", "2/a.wav"] {
        keep(&artifacts, path, "kept").unwrap();
    }
    for path in ["1/.tmp0", "1/turn_1/.tmpAbC", "2/.tmp0", ".tmp0"] {
        fs::write(artifacts.root().join(path), "half").unwrap();
    }
    artifacts.remove_scratch("1").unwrap();
    artifacts.remove_scratch("3").unwrap();
    let left = everything(beside.path()).join(" ");
    expect!["artifacts/.tmp0 artifacts/1/session.json artifacts/1/turn_1/a.wav artifacts/2/.tmp0 artifacts/2/a.wav"]
        .assert_eq(&left);
}

#[test]
fn whether_anything_can_be_kept_is_known_beforehand() {
    let (beside, artifacts) = folder();
    artifacts.check().unwrap();
    assert_eq!(everything(beside.path()), [""; 0], "it leaves nothing");
    fs::write(beside.path().join("file"), "in the way").unwrap();
    Artifacts::in_folder(beside.path().join("file")).check().unwrap_err();
}

#[test]
fn paths_that_could_lead_elsewhere_are_none() {
    let (beside, artifacts) = folder();
    keep(&artifacts, "a/b.wav", "kept").unwrap();
    let long = format!("a/{}", "x".repeat(LONGEST_PATH));
    for path in [
        "",
        "/",
        "/etc/passwd",
        "a//b.wav",
        "a/",
        "/a/b.wav",
        ".",
        "..",
        "../artifacts/a/b.wav",
        "a/../a/b.wav",
        "a/..",
        "a/./b.wav",
        "a/.hidden",
        "a/b.wav.",
        "a\\b.wav",
        "..\\..\\boot.ini",
        "C:\\boot.ini",
        "C:boot.ini",
        "a/b.wav\0",
        "a/b.wav\n",
        "a/b wav",
        "a/%2e%2e/b.wav",
        "a/b.wav:stream",
        "~/b.wav",
        "-rf",
        "a/bö.wav",
        "a/\u{2215}etc",
        &long,
    ] {
        assert!(matches!(keep(&artifacts, path, "lost"), Err(Error::NotAPath(_))), "{path:?}");
        assert!(matches!(artifacts.find(path), Err(Error::NotAPath(_))), "{path:?}");
        assert!(matches!(artifacts.remove_all(path), Err(Error::NotAPath(_))), "{path:?}");
    }
    assert_eq!(everything(beside.path()), ["artifacts/a/b.wav"]);
}

proptest! {
    #[test]
    fn nothing_is_ever_outside(paths in proptest::collection::vec("[a-b./\\\\~:%_ -]{0,12}|\\PC{0,12}", 1..12)) {
        let (beside, artifacts) = folder();
        for path in &paths {
            if keep(&artifacts, path, path).is_ok() {
                prop_assert!(artifacts.find(path).unwrap().starts_with(artifacts.root()));
            }
        }
        for file in everything(beside.path()) {
            prop_assert!(file.starts_with("artifacts/"), "{file}");
        }
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let (beside, artifacts) = folder();
    let outside = beside.path().join("outside");
    fs::create_dir_all(outside.join("sessions")).unwrap();
    fs::write(outside.join("secret.wav"), "secret").unwrap();
    keep(&artifacts, "real/one.wav", "one").unwrap();
    symlink(&outside, artifacts.root().join("tts")).unwrap();
    symlink(outside.join("secret.wav"), artifacts.root().join("real/link.wav")).unwrap();

    let kept = keep(&artifacts, "tts/sessions/two.wav", "two").unwrap_err();
    expect!["tts/sessions/two.wav: a link lies in its way"].assert_eq(&kept.to_string());
    assert!(keep(&artifacts, "tts/new/two.wav", "two").is_err());
    for path in ["tts/secret.wav", "real/link.wav"] {
        assert!(matches!(artifacts.find(path), Err(Error::NotFound(_))), "{path}");
    }
    artifacts.remove_all("tts").unwrap();
    artifacts.remove_all("tts/sessions").unwrap();
    assert_eq!(everything(&outside), ["secret.wav"]);
    assert!(outside.join("sessions").is_dir(), "nothing is removed on the other side of a link");

    // A link where a file should go is replaced, not written through.
    keep(&artifacts, "real/link.wav", "mine").unwrap();
    assert_eq!(fs::read_to_string(outside.join("secret.wav")).unwrap(), "secret");
    assert_eq!(fs::read_to_string(artifacts.find("real/link.wav").unwrap()).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn the_folder_itself_may_be_a_link() {
    let beside = tempfile::tempdir().unwrap();
    let disk = beside.path().join("disk");
    fs::create_dir(&disk).unwrap();
    std::os::unix::fs::symlink(&disk, beside.path().join("artifacts")).unwrap();
    let artifacts = Artifacts::in_folder(beside.path().join("artifacts"));
    keep(&artifacts, "tts/one.wav", "one").unwrap();
    assert!(artifacts.find("tts/one.wav").is_ok());
    assert_eq!(everything(&disk), ["tts/one.wav"]);
}

#[test]
fn what_cannot_be_kept_leaves_nothing_and_spoils_nothing() {
    let (beside, artifacts) = folder();
    keep(&artifacts, "a/b.wav", "good").unwrap();
    let refused = |file: &Path| {
        assert_eq!(fs::read_to_string(file)?, "bad", "what was written is there to be checked");
        Err(io::Error::new(io::ErrorKind::InvalidData, "it breaks off"))
    };
    let error = artifacts.write("a/b.wav", b"bad", refused).unwrap_err();
    expect!["a/b.wav: it breaks off"].assert_eq(&error.to_string());
    // A file where a folder should be, and the other way round.
    assert!(matches!(keep(&artifacts, "a/b.wav/c.wav", "bad"), Err(Error::Io { .. })));
    assert!(matches!(keep(&artifacts, "a", "bad"), Err(Error::Io { .. })));
    assert_eq!(everything(beside.path()), ["artifacts/a/b.wav"]);
    assert_eq!(fs::read_to_string(artifacts.find("a/b.wav").unwrap()).unwrap(), "good");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error() {
    let beside = tempfile::tempdir().unwrap();
    // Who may do everything may also write to what is read-only, but not make folders below a file.
    fs::write(beside.path().join("file"), "").unwrap();
    let artifacts = Artifacts::in_folder(beside.path().join("file/artifacts"));
    assert!(matches!(keep(&artifacts, "a/b.wav", "bad"), Err(Error::Io { .. })));
    assert!(matches!(artifacts.find("a/b.wav"), Err(Error::NotFound(_))));
    artifacts.remove_all("a").unwrap();
}

#[test]
fn a_session_is_removed_with_everything_in_it_and_nothing_beside() {
    let (beside, artifacts) = folder();
    for path in ["tts/sessions/1/turn_1/a.wav", "tts/sessions/1/session.json", "tts/sessions/12/turn_1/a.wav"]
    {
        keep(&artifacts, path, "x").unwrap();
    }
    artifacts.remove_all("tts/sessions/1").unwrap();
    artifacts.remove_all("tts/sessions/1").unwrap();
    assert_eq!(everything(beside.path()), ["artifacts/tts/sessions/12/turn_1/a.wav"]);
}
