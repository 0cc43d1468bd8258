use std::path::Path;

use expect_test::{Expect, expect};

use super::super::{Config, read};
use enact_drama::Problem;

fn shown(read: Result<Config, Problem>) -> String {
    match read {
        Err(problem) => match &problem.hint {
            Some(hint) => format!("{problem}\nhint: {hint}\n"),
            None => format!("{problem}\n"),
        },
        Ok(config) => config.voices.iter().map(|entry| format!("{entry:?}\n")).collect(),
    }
}

/// Each of these as the lines of a voice called `v`, and what is said about it.
fn check(cases: &[&str], expected: Expect) {
    let outcomes = cases.iter().map(|lines| {
        let outcome = shown(read::read(Path::new("enact.toml"), &format!("[voices.v]\n{lines}\n")));
        assert!(!outcome.contains("sk-"), "a key was repeated: {outcome}");
        format!("{lines}\n=> {outcome}")
    });
    expected.assert_eq(&outcomes.collect::<String>());
}

#[test]
fn every_kind_with_all_it_may_say() {
    check(
        &[
            "kind = 'embedded'\nat_once = 1",
            "kind = 'elevenlabs'",
            "kind = 'elevenlabs'\nkey_env = 'MY_KEY'\nmodel = 'm'\nat_once = 5\nvoices = { calm_soothing = 'abc', friendly_casual = ['d', 'e'] }",
            "kind = 'openai'\nbase_url = 'http://127.0.0.1:8880'\nvoices = 'alloy'\ntimeout_seconds = 2.5",
            "kind = 'command'\ncommand = 'espeak-ng'\nargs = ['--stdout', '-v', '{profile}']",
        ],
        expect![[r#"
            kind = 'embedded'
            at_once = 1
            => VoiceEntry { name: "v", kind: Embedded, at_once: Some(1), timeout: None }
            kind = 'elevenlabs'
            => VoiceEntry { name: "v", kind: ElevenLabs(Remote { base_url: None, key_variable: Some("ELEVENLABS_API_KEY"), key_optional: false, model: None, voices: {} }), at_once: None, timeout: None }
            kind = 'elevenlabs'
            key_env = 'MY_KEY'
            model = 'm'
            at_once = 5
            voices = { calm_soothing = 'abc', friendly_casual = ['d', 'e'] }
            => VoiceEntry { name: "v", kind: ElevenLabs(Remote { base_url: None, key_variable: Some("MY_KEY"), key_optional: false, model: Some("m"), voices: {FriendlyCasual: ["d", "e"], CalmSoothing: ["abc"]} }), at_once: Some(5), timeout: None }
            kind = 'openai'
            base_url = 'http://127.0.0.1:8880'
            voices = 'alloy'
            timeout_seconds = 2.5
            => VoiceEntry { name: "v", kind: OpenAi(Remote { base_url: Some("http://127.0.0.1:8880"), key_variable: Some("OPENAI_API_KEY"), key_optional: true, model: None, voices: {FriendlyCasual: ["alloy"], WarmProfessional: ["alloy"], EnergeticUpbeat: ["alloy"], CalmSoothing: ["alloy"], ConfidentCharming: ["alloy"], PlayfulExpressive: ["alloy"]} }), at_once: None, timeout: Some(2.5s) }
            kind = 'command'
            command = 'espeak-ng'
            args = ['--stdout', '-v', '{profile}']
            => VoiceEntry { name: "v", kind: Command(Program { command: "espeak-ng", args: ["--stdout", "-v", "{profile}"] }), at_once: None, timeout: None }
        "#]],
    );
}

#[test]
fn what_makes_no_sense() {
    check(
        &[
            "at_once = 1",
            "kind = 'elevnlabs'",
            "kind = 'festival'",
            "kind = 'embedded'\nkey_env = 'K'",
            "kind = 'command'",
            "kind = 'command'\ncommand = 'say -v Anna'",
            "kind = 'command'\ncommand = 'say'\nbase_url = 'http://127.0.0.1'",
            "kind = 'command'\ncommand = ''",
            "kind = 'elevenlabs'\ncommand = 'say'",
            "kind = 'elevenlabs'\nkey = 'sk-123'",
            "kind = 'elevenlabs'\nkey_env = 'sk-123'",
            "kind = 'elevenlabs'\nvoices = { calm = 'x' }",
            "kind = 'elevenlabs'\nvoices = { calm_soothing = 3 }",
            "kind = 'elevenlabs'\nvoices = []",
            "kind = 'elevenlabs'\nat_once = 0",
            "kind = 'elevenlabs'\ntimeout_seconds = 0",
            "kind = 'elevenlabs'\nbase_url = 'ftp://x'",
            "kind = 'openai'\nvoice = 'alloy'",
            "kind = 'openai'\nprovder = 'x'",
        ],
        expect![[r#"
            at_once = 1
            => line 1, column 9: voices.v has no 'kind'
            hint: for example: kind = "elevenlabs"; there are embedded, elevenlabs, openai and command
            kind = 'elevnlabs'
            => line 2, column 8: voices.v.kind must be embedded, elevenlabs, openai or command, found 'elevnlabs'
            hint: did you mean 'elevenlabs'?
            kind = 'festival'
            => line 2, column 8: voices.v.kind must be embedded, elevenlabs, openai or command, found 'festival'
            kind = 'embedded'
            key_env = 'K'
            => line 3, column 11: key_env means nothing to kind = "embedded"
            hint: the embedded voice has only at_once and timeout_seconds; remove it
            kind = 'command'
            => line 1, column 9: voices.v has no 'command'
            hint: for example: command = "espeak-ng", args = ["--stdout"]
            kind = 'command'
            command = 'say -v Anna'
            => line 3, column 11: voices.v.command must be one program, without its arguments
            hint: put each of them into args = ["…"]; there is no shell that would part them
            kind = 'command'
            command = 'say'
            base_url = 'http://127.0.0.1'
            => line 4, column 12: base_url means nothing to kind = "command"
            hint: besides at_once and timeout_seconds it has: command, args
            kind = 'command'
            command = ''
            => line 3, column 11: voices.v.command must be the program that speaks, found ''
            kind = 'elevenlabs'
            command = 'say'
            => line 3, column 11: command means nothing to kind = "elevenlabs"
            hint: besides at_once and timeout_seconds it has: key_env, base_url, model, voices
            kind = 'elevenlabs'
            key = 'sk-123'
            => line 3, column 1: 'key': keys are never written into this file
            hint: put the key into an environment variable and name that: key_env = "MY_KEY"
            kind = 'elevenlabs'
            key_env = 'sk-123'
            => line 3, column 11: voices.v.key_env must be the name of an environment variable, not a key
            hint: capital letters, digits and '_', for example "MY_KEY"
            kind = 'elevenlabs'
            voices = { calm = 'x' }
            => line 3, column 12: unknown key 'calm'
            hint: the keys are: friendly_casual, warm_professional, energetic_upbeat, calm_soothing, confident_charming, playful_expressive
            kind = 'elevenlabs'
            voices = { calm_soothing = 3 }
            => line 3, column 28: voices.v.voices.calm_soothing must be a name or a list of names, found 3
            kind = 'elevenlabs'
            voices = []
            => line 3, column 10: voices.v.voices must be a voice for all profiles, or one for each, found a list
            kind = 'elevenlabs'
            at_once = 0
            => line 3, column 11: voices.v.at_once must be a whole number from 1 to 256, found 0
            kind = 'elevenlabs'
            timeout_seconds = 0
            => line 3, column 19: voices.v.timeout_seconds must be a number from 0.1 to 3600, found 0
            kind = 'elevenlabs'
            base_url = 'ftp://x'
            => line 3, column 12: voices.v.base_url must be a URL that begins with http:// or https://
            hint: for example "http://127.0.0.1:8880"
            kind = 'openai'
            voice = 'alloy'
            => line 3, column 1: unknown key 'voice'
            hint: did you mean 'voices'?
            kind = 'openai'
            provder = 'x'
            => line 3, column 1: unknown key 'provder'
            hint: the keys are: kind, key_env, base_url, model, voices, at_once, timeout_seconds, command, args
        "#]],
    );
}

#[test]
fn names() {
    let outcomes = ["none", "embedded", "a b", "../x"].map(|name| {
        let text = format!("[voices.\"{name}\"]\nkind = 'openai'\n");
        shown(read::read(Path::new("enact.toml"), &text))
    });
    expect![[r#"
        line 1, column 9: a voice cannot be called 'none'
        hint: that name means that there is no speech; choose another one
        line 1, column 9: the voice 'embedded' is the built-in one
        hint: give this one another name
        line 1, column 9: a voice cannot be called 'a b'
        hint: use letters, digits, '-', '_' and '.', starting with a letter or digit, at most 64
        line 1, column 9: a voice cannot be called '../x'
        hint: use letters, digits, '-', '_' and '.', starting with a letter or digit, at most 64
    "#]]
    .assert_eq(&outcomes.concat());
}

#[test]
fn names_stand_for_voices() {
    let config =
        read::read(Path::new("enact.toml"), "[voices.studio]\nkind = 'elevenlabs'\nkey_env = 'K'\n").unwrap();
    let outcome = |name: &str| match config.voice(name) {
        Ok(entry) => format!("{:?}", entry.kind),
        Err(problem) => format!("{problem} ({})", problem.hint.as_deref().unwrap_or("-")),
    };
    let names = ["studio", "embedded", "elevenlabs", "openai", "stduio", "nobody", "\u{1b}[1m"];
    let table: String = names.iter().map(|name| format!("{name:?} => {}\n", outcome(name))).collect();
    expect![[r#"
        "studio" => ElevenLabs(Remote { base_url: None, key_variable: Some("K"), key_optional: false, model: None, voices: {} })
        "embedded" => Embedded
        "elevenlabs" => ElevenLabs(Remote { base_url: None, key_variable: Some("ELEVENLABS_API_KEY"), key_optional: false, model: None, voices: {} })
        "openai" => OpenAi(Remote { base_url: None, key_variable: Some("OPENAI_API_KEY"), key_optional: false, model: None, voices: {} })
        "stduio" => unknown voice 'stduio' (did you mean 'studio'?)
        "nobody" => unknown voice 'nobody' (there are: studio, embedded, elevenlabs, openai; or add [voices.NAME] to enact.toml)
        "\u{1b}[1m" => unknown voice '\u{1b}[1m' (there are: studio, embedded, elevenlabs, openai; or add [voices.NAME] to enact.toml)
    "#]].assert_eq(&table);
}

#[test]
fn a_file_that_was_only_found_runs_nothing_and_sends_no_key_away() {
    let text = "
[voices.program]
kind = 'command'
command = './steal'
[voices.usual]
kind = 'elevenlabs'
[voices.here]
kind = 'openai'
base_url = 'http://127.0.0.1:1'
key_env = 'K'
[voices.other]
kind = 'elevenlabs'
key_env = 'SOMEBODY_ELSES'
[voices.away]
kind = 'openai'
base_url = 'https://evil.example/v1'
key_env = 'K'
[voices.keyless]
kind = 'openai'
base_url = 'https://free.example/v1'
";
    let mut table = String::new();
    for trusted in [false, true] {
        let config = Config { trusted, ..read::read(Path::new("enact.toml"), text).unwrap() };
        for entry in &config.voices {
            let outcome = match &entry.kind {
                super::VoiceKind::Command(program) => {
                    config.check_may_run(entry, program).map(|()| "may run".to_owned())
                }
                _ => config.voice_key_variable(entry).map(|variable| format!("{variable:?}")),
            };
            let outcome = outcome
                .unwrap_or_else(|problem| format!("{problem} ({})", problem.hint.as_deref().unwrap_or("-")));
            table.push_str(&format!("trusted {trusted}, {}: {outcome}\n", entry.name));
        }
    }
    expect![[r#"
        trusted false, program: the voice 'program' would run the program './steal', and this file was only found, not named (if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml)
        trusted false, usual: Some("ELEVENLABS_API_KEY")
        trusted false, here: the voice 'here' would use the key in K instead of OPENAI_API_KEY, and this file was only found, not named (if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml)
        trusted false, other: the voice 'other' would use the key in SOMEBODY_ELSES instead of ELEVENLABS_API_KEY, and this file was only found, not named (if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml)
        trusted false, away: the voice 'away' would send the key in K to https://evil.example, and this file was only found, not named (if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml)
        trusted false, keyless: None
        trusted true, program: may run
        trusted true, usual: Some("ELEVENLABS_API_KEY")
        trusted true, here: Some("K")
        trusted true, other: Some("SOMEBODY_ELSES")
        trusted true, away: Some("K")
        trusted true, keyless: Some("OPENAI_API_KEY")
    "#]].assert_eq(&table);
}

#[test]
fn programs_are_beside_the_file_that_names_them() {
    let config = Config { file: Some("/home/me/enact.toml".into()), ..Config::default() };
    for (command, expected) in [
        ("espeak-ng", "espeak-ng"),
        ("./speak", "/home/me/./speak"),
        ("bin/speak", "/home/me/bin/speak"),
        ("../speak", "/home/me/../speak"),
        ("/opt/speak", "/opt/speak"),
    ] {
        let program = super::Program { command: command.to_owned(), args: vec![] };
        assert_eq!(config.program(&program), Path::new(expected), "{command}");
    }
}

#[test]
fn a_file_says_which_variables_are_secret() {
    let text = "
[models.lead]
provider = 'anthropic'
model = 'm'
key_env = 'LEAD_KEY'
[voices.studio]
kind = 'elevenlabs'
key_env = 'STUDIO_KEY'
[voices.robot]
kind = 'command'
command = 'robot'
[tokens.kiosk]
variable = 'KIOSK_SECRET'
scopes = ['run']
";
    let config = read::read(Path::new("enact.toml"), text).unwrap();
    assert_eq!(config.secret_variables(), ["LEAD_KEY", "STUDIO_KEY", "KIOSK_SECRET"]);
}
