use expect_test::expect;

use crate::config::tests::{check, read_config};

/// One model a line, with its fallbacks.
fn models(lines: &str) -> String {
    let entry = |line: &str| {
        let (name, fallback) = line.trim().split_once(' ').unwrap_or((line.trim(), "[]"));
        format!("[models.{name}]\nprovider = \"anthropic\"\nmodel = \"m\"\nfallback = {fallback}\n")
    };
    lines.trim().lines().map(entry).collect()
}

#[test]
fn a_fallback_is_followed_by_its_own() {
    let config = read_config(&models(
        r#"
        lead ["second", "improviser"]
        second ["third", "ollama:llama3.2"]
        third "improviser"
        "#,
    ))
    .unwrap();
    let chain = |name: &str| config.get(name).unwrap().settings.fallback.clone();
    assert_eq!(chain("lead"), ["second", "third", "improviser", "ollama:llama3.2"]);
    assert_eq!(chain("second"), ["third", "improviser", "ollama:llama3.2"]);
    assert_eq!(chain("third"), ["improviser"]);
}

#[test]
fn fallbacks_are_models_and_lead_nowhere_twice() {
    check(
        &models(
            r#"
            lead ["secnd"]
            second
            "#,
        ),
        expect![[r#"
            line 4, column 12: models.lead.fallback: unknown model 'secnd'
            hint: did you mean 'second'?
        "#]],
    );
    check(
        &models(r#"lead ["human"]"#),
        expect![[r#"
            line 4, column 12: models.lead.fallback: a person cannot stand in for a model
            hint: people play characters: --model CHARACTER=human
        "#]],
    );
    check(
        &models(r#"lead ["lead"]"#),
        expect![[r#"
            line 4, column 12: models.lead.fallback: 'lead' cannot be its own fallback
        "#]],
    );
    check(
        &models(
            r#"
            lead ["second"]
            second ["third"]
            third ["second"]
            "#,
        ),
        expect![[r#"
            line 12, column 12: models.third.fallback leads in a circle: second, then third, then second
            hint: a fallback is followed by its own fallbacks; name each model once on the way
        "#]],
    );
    check(
        &models(r#"lead ["script:lines.txt"]"#),
        expect![[r#"
            line 4, column 12: models.lead.fallback cannot be a script or a recording
            hint: give those on the command line, for one run: --model
        "#]],
    );
    check(
        &models("lead 7"),
        expect![[r#"
            line 4, column 12: models.lead.fallback must be a name or a list of names, found 7
        "#]],
    );
}
