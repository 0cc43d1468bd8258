use std::{path::Path, time::Duration};

use enact_drama::voice::Utterance;
use expect_test::expect;

use super::*;

fn config(text: &str, trusted: bool) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("enact.toml");
    std::fs::write(&file, text).unwrap();
    let config = Config::load(Some(&file), Path::new(".")).unwrap();
    Config { file: Some("enact.toml".into()), trusted, ..config }
}

#[test]
fn flags_come_before_the_file_and_the_file_before_the_embedded_voice() {
    let none = config("", true);
    let silent = config("[chorus]\nvoice = 'none'", true);
    let two = config("[chorus]\nvoice = ['openai', 'embedded']", true);
    let flag = |text: &str| text.parse::<VoiceFlag>().unwrap();
    let names = |config: &Config, flag: Option<VoiceFlag>| {
        wanted(config, flag.as_ref()).unwrap().map_or("-".to_owned(), |chain| chain.0.join(","))
    };
    for (config, said, expected) in [
        (&none, None, "embedded"),
        (&none, Some(flag("")), "embedded"),
        (&none, Some(flag("none")), "-"),
        (&silent, None, "-"),
        (&silent, Some(flag("")), "embedded"),
        (&silent, Some(flag("openai, embedded")), "openai,embedded"),
        (&two, None, "openai,embedded"),
        (&two, Some(flag("")), "openai,embedded"),
        (&two, Some(flag("none")), "-"),
        (&two, Some(flag("embedded")), "embedded"),
    ] {
        assert_eq!(names(config, said.clone()), expected, "{said:?}");
    }
    for wrong in ["none,embedded", "embedded,", ",,"] {
        assert!(wrong.parse::<VoiceFlag>().is_err(), "{wrong}");
    }
}

#[test]
fn what_can_be_known_before_anybody_speaks() {
    let text = "
[voices.keyed]
kind = 'elevenlabs'
key_env = 'ENACT_TESTS_NEVER_SET_THIS'
[voices.program]
kind = 'command'
command = 'cat'
[voices.gone]
kind = 'command'
command = 'enact-tests-never-install-this'
";
    let outcome = |trusted: bool, names: &[&str]| {
        let chain = VoiceChain(names.iter().map(|name| (*name).to_owned()).collect());
        match voice(&config(text, trusted), &chain) {
            Ok(voice) => voice.description(),
            Err(problem) => format!("{problem} ({})", problem.hint.as_deref().unwrap_or("-")),
        }
    };
    let mut table = String::new();
    for (trusted, names) in [
        (true, &["embedded"][..]),
        (true, &["keyed"]),
        (true, &["keyed", "embedded"]),
        (true, &["nobody"]),
        (false, &["program"]),
        (false, &["program", "embedded"]),
        (true, &["program"]),
        (true, &["gone"]),
        (true, &["gone", "embedded"]),
        (true, &["gone", "keyed"]),
    ] {
        table.push_str(&format!("{trusted} {names:?} => {}\n", outcome(trusted, names)));
    }
    expect![[r#"
        true ["embedded"] => embedded (flite, kal16)
        true ["keyed"] => enact.toml:2:9: the voice 'keyed' needs a key: ENACT_TESTS_NEVER_SET_THIS is not set (put the key into the environment variable ENACT_TESTS_NEVER_SET_THIS, or let another voice speak: --voice embedded)
        true ["keyed", "embedded"] => keyed, then embedded (flite, kal16)
        true ["nobody"] => unknown voice 'nobody' (there are: keyed, program, gone, embedded, elevenlabs, openai; or add [voices.NAME] to enact.toml)
        false ["program"] => enact.toml:5:9: the voice 'program' would run the program 'cat', and this file was only found, not named (if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml)
        false ["program", "embedded"] => enact.toml:5:9: the voice 'program' would run the program 'cat', and this file was only found, not named (if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml)
        true ["program"] => program (command, cat)
        true ["gone"] => enact.toml:8:9: the program of the voice 'gone' is not there: enact-tests-never-install-this (is it installed, and may it be run?)
        true ["gone", "embedded"] => gone, then embedded (flite, kal16)
        true ["gone", "keyed"] => enact.toml:8:9: the program of the voice 'gone' is not there: enact-tests-never-install-this (is it installed, and may it be run?)
    "#]].assert_eq(&table);
}

#[tokio::test]
async fn whoever_cannot_speak_is_passed_over_and_named() {
    for (text, why) in [
        ("kind = 'openai'\nkey_env = 'ENACT_TESTS_NEVER_SET_THIS'", "ENACT_TESTS_NEVER_SET_THIS is not set"),
        (
            "kind = 'command'\ncommand = 'enact-tests-never-install-this'",
            "the program of the voice 'first' is not there: enact-tests-never-install-this",
        ),
    ] {
        let config = config(&format!("[voices.first]\n{text}\n"), true);
        let voice = voice(&config, &VoiceChain(vec!["first".to_owned(), "embedded".to_owned()])).unwrap();
        let utterance = Utterance {
            text: "Hello there.".to_owned(),
            meant: None,
            profile: Default::default(),
            variant: 0,
        };
        let audio = voice.speak(Arc::new(utterance), Duration::from_secs(30)).await.unwrap();
        let passed_over: Vec<_> = audio.passed_over.iter().map(|over| over.error.as_str()).collect();
        assert_eq!(passed_over, [why]);
    }
}

#[cfg(unix)]
#[test]
fn a_program_is_looked_for_beside_the_file_and_not_where_one_happens_to_be() {
    use std::os::unix::fs::PermissionsExt;

    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("enact.toml");
    std::fs::write(&file, "[voices.own]\nkind = 'command'\ncommand = './own-speak'\n").unwrap();
    let chain = VoiceChain(vec!["own".to_owned()]);
    let config = Config::load(Some(&file), Path::new(".")).unwrap();
    assert!(voice(&config, &chain).is_err(), "it is not there yet");
    let program = home.path().join("own-speak");
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(voice(&config, &chain).unwrap().description(), "own (command, own-speak)");
}
