use enact_drama::Place;
use enact_models::{Provider, Settings};
use expect_test::{Expect, expect};

use super::*;
use crate::config::{ModelEntry, Reference};

fn entry(name: &str, provider: Provider) -> ModelEntry {
    ModelEntry {
        name: name.to_owned(),
        settings: Settings::new(provider, "m"),
        key_variable: provider.key_variable().map(str::to_owned),
        key_optional: false,
    }
}

/// Models `lead` and `quick`; the default is the first word of each case, or none.
fn config(default: &str, provider: Provider) -> Config {
    Config {
        models: vec![entry("lead", provider), entry("quick", Provider::Ollama)],
        default: (!default.is_empty()).then(|| default.to_owned()),
        ..Config::default()
    }
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

struct Case<'a> {
    config: Config,
    flags: &'a [&'a str],
    scene: &'a [(&'a str, &'a str)],
    /// For Alice and Bob.
    sheets: [&'a str; 2],
}

fn decided(case: Case<'_>) -> String {
    let flags: Vec<ModelFlag> = case.flags.iter().map(|flag| flag.parse().unwrap()).collect();
    let written = |model: &str, line| RequestedModel {
        model: model.to_owned(),
        place: Some(Place { line, column: 8 }),
    };
    let scene: BTreeMap<Name, RequestedModel> =
        case.scene.iter().map(|(who, model)| (name(who), written(model, 4))).collect();
    let sheet = |who: &str, model: &str| (name(who), (!model.is_empty()).then(|| written(model, 3)));
    let requested = ModelChoice {
        flags: &flags,
        scene: &scene,
        scene_file: Some(Path::new("scene.md")),
        sheets: &[sheet("alice", case.sheets[0]), sheet("bob", case.sheets[1])],
        cast_dir: Path::new("agents"),
        config: &case.config,
    };
    match requested.decide() {
        Ok(parts) => {
            let plays = parts.models.iter().map(|(who, model)| format!("{who}={model}"));
            let notes = parts.notes.iter().map(|note| format!("\n  note: {note}"));
            plays.collect::<Vec<_>>().join(" ") + &notes.collect::<String>()
        }
        Err(problem) => said(&problem),
    }
}

fn said(problem: &Problem) -> String {
    match &problem.hint {
        Some(hint) => format!("{problem}\n  hint: {hint}"),
        None => problem.to_string(),
    }
}

fn check(cases: Vec<(&str, Case<'_>)>, expected: Expect) {
    let table: String =
        cases.into_iter().map(|(title, case)| format!("{title}: {}\n", decided(case))).collect();
    expected.assert_eq(&table);
}

#[test]
fn the_highest_wish_wins() {
    let lead = || config("lead", Provider::Anthropic);
    let nobody = || config("", Provider::Anthropic);
    check(
        vec![
            ("nothing said", Case { config: nobody(), flags: &[], scene: &[], sheets: ["", ""] }),
            ("default", Case { config: lead(), flags: &[], scene: &[], sheets: ["", ""] }),
            ("inherit", Case { config: lead(), flags: &[], scene: &[], sheets: ["inherit", ""] }),
            ("sheet", Case { config: lead(), flags: &[], scene: &[], sheets: ["quick", ""] }),
            (
                "inline",
                Case { config: lead(), flags: &[], scene: &[], sheets: ["ollama:x:3b", "improviser"] },
            ),
            (
                "scene",
                Case {
                    config: lead(),
                    flags: &[],
                    scene: &[("alice", "improviser")],
                    sheets: ["quick", "quick"],
                },
            ),
            (
                "everyone",
                Case {
                    config: nobody(),
                    flags: &["lead"],
                    scene: &[("alice", "quick")],
                    sheets: ["quick", "nonsense"],
                },
            ),
            (
                "one flag",
                Case {
                    config: lead(),
                    flags: &["Alice=quick"],
                    scene: &[("alice", "lead")],
                    sheets: ["lead", ""],
                },
            ),
            (
                "both flags",
                Case {
                    config: nobody(),
                    flags: &["lead", "alice=script:a=b.txt"],
                    scene: &[],
                    sheets: ["", ""],
                },
            ),
        ],
        expect![[r#"
            nothing said: alice=improviser bob=improviser
            default: alice=lead bob=lead
            inherit: alice=lead bob=lead
            sheet: alice=quick bob=lead
            inline: alice=ollama:x:3b bob=improviser
            scene: alice=improviser bob=quick
            everyone: alice=lead bob=lead
            one flag: alice=quick bob=lead
            both flags: alice=script:a=b.txt bob=lead
        "#]],
    );
}

#[test]
fn claude_s_own_names() {
    let own = |mut config: Config| {
        config.models.push(entry("sonnet", Provider::OpenAi));
        config
    };
    let sheets = ["sonnet", "opus"];
    check(
        vec![
            ("improviser", Case { config: config("", Provider::OpenAi), flags: &[], scene: &[], sheets }),
            (
                "two alike",
                Case { config: config("", Provider::OpenAi), flags: &[], scene: &[], sheets: ["opus"; 2] },
            ),
            ("openai", Case { config: config("lead", Provider::OpenAi), flags: &[], scene: &[], sheets }),
            (
                "configured",
                Case { config: own(config("lead", Provider::OpenAi)), flags: &[], scene: &[], sheets },
            ),
            (
                "claude-code",
                Case { config: config("lead", Provider::ClaudeCode), flags: &[], scene: &[], sheets },
            ),
            (
                "anthropic",
                Case { config: config("lead", Provider::Anthropic), flags: &[], scene: &[], sheets },
            ),
            (
                "overruled",
                Case { config: config("", Provider::OpenAi), flags: &["quick"], scene: &[], sheets },
            ),
        ],
        expect![[r#"
            improviser: alice=improviser bob=improviser
              note: the sheet of bob asks for 'opus', which is no model here; 'improviser' plays instead
              note: the sheet of alice asks for 'sonnet', which is no model here; 'improviser' plays instead
            two alike: alice=improviser bob=improviser
              note: the sheets of alice and bob ask for 'opus', which is no model here; 'improviser' plays instead
            openai: alice=lead bob=lead
              note: the sheet of bob asks for 'opus', which is no model here; 'lead' plays instead
              note: the sheet of alice asks for 'sonnet', which is no model here; 'lead' plays instead
            configured: alice=sonnet bob=lead
              note: the sheet of bob asks for 'opus', which is no model here; 'lead' plays instead
            claude-code: alice=sonnet bob=opus
            anthropic: alice=sonnet bob=opus
            overruled: alice=quick bob=quick
        "#]],
    );
    let mut earlier = config("lead", Provider::Anthropic);
    earlier.models[0].settings.model = "claude-sonnet-of-old".to_owned();
    let Ok(Reference::Language(sonnet)) = earlier.refer("sonnet") else { panic!("no model") };
    assert_eq!(sonnet.settings.model, "claude-sonnet-of-old", "the default is one already");
    let Ok(Reference::Language(opus)) = config("lead", Provider::ClaudeCode).refer("opus") else {
        panic!("no model");
    };
    assert_eq!((opus.name.as_str(), opus.settings.model.as_str()), ("opus", "opus"));
}

#[test]
fn wishes_that_cannot_be_met() {
    let lead = || config("lead", Provider::Anthropic);
    let sheets = ["", ""];
    check(
        vec![
            ("flag", Case { config: lead(), flags: &["leed"], scene: &[], sheets }),
            ("flag for one", Case { config: lead(), flags: &["bob=nobody"], scene: &[], sheets }),
            ("not in the cast", Case { config: lead(), flags: &["bobby=lead"], scene: &[], sheets }),
            ("everyone twice", Case { config: lead(), flags: &["lead", "quick"], scene: &[], sheets }),
            ("bob twice", Case { config: lead(), flags: &["bob=lead", "Bob=quick"], scene: &[], sheets }),
            ("no model", Case { config: lead(), flags: &["bob="], scene: &[], sheets }),
            ("scene", Case { config: lead(), flags: &[], scene: &[("bob", "quik")], sheets }),
            (
                "scene names claude",
                Case { config: config("", Provider::OpenAi), flags: &[], scene: &[("bob", "opus")], sheets },
            ),
            ("sheet", Case { config: lead(), flags: &[], scene: &[], sheets: ["", "leed"] }),
            (
                "no provider",
                Case { config: lead(), flags: &[], scene: &[], sheets: ["", "claude-haiku-4-5"] },
            ),
            ("capitals", Case { config: lead(), flags: &[], scene: &[], sheets: ["", "Haiku"] }),
            (
                "sheet names a file",
                Case { config: lead(), flags: &[], scene: &[], sheets: ["", "script:/etc/passwd"] },
            ),
            ("no config", Case { config: Config::default(), flags: &[], scene: &[], sheets: ["lead", ""] }),
        ],
        expect![[r#"
            flag: unknown model 'leed'
              hint: did you mean 'lead'?
            flag for one: unknown model 'nobody'
              hint: there are: improviser, human, lead, quick
            not in the cast: --model: 'bobby' is not in the cast (alice, bob)
            everyone twice: --model is given twice for everyone
              hint: for one character it is written --model CHARACTER=MODEL
            bob twice: --model is given twice for bob
              hint: a character is played by one model
            no model: no model is named
              hint: 'improviser', a model of enact.toml, or 'PROVIDER:MODEL'
            scene: scene.md:4:8: unknown model 'quik'
              hint: did you mean 'quick'?
            scene names claude: scene.md:4:8: unknown model 'opus'
              hint: there are: improviser, human, lead, quick
            sheet: agents/bob.md:3:8: unknown model 'leed'
              hint: did you mean 'lead'?
            no provider: agents/bob.md:3:8: unknown model 'claude-haiku-4-5'
              hint: did you mean 'anthropic:claude-haiku-4-5'?
            capitals: agents/bob.md:3:8: unknown model 'Haiku'
              hint: did you mean 'haiku'?
            sheet names a file: agents/bob.md:3:8: scripts and recordings are only for the command line
              hint: --model CHARACTER=script:/etc/passwd
            no config: agents/alice.md:3:8: unknown model 'lead'
              hint: use 'improviser', 'script:FILE', 'recorded:RUN' or 'PROVIDER:MODEL', or name models in enact.toml
        "#]],
    );
}
