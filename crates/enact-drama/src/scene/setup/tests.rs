use expect_test::{Expect, expect};
use uuid::Uuid;

use super::*;

fn models() -> BTreeMap<String, ModelCard> {
    let card = ModelCard::free_without_memory("a test");
    [("improviser".to_owned(), card)].into()
}

fn config(characters: &[&str]) -> SceneConfig {
    SceneConfig {
        name: "quick-apology".into(),
        prompt: "Bob apologizes to Alice for being late. Alice accepts.".into(),
        characters: characters.iter().map(|&name| name.to_owned()).collect(),
        initial_speaker: Some("Bob".into()),
        goals: vec!["Bob apologizes".into()],
        ..SceneConfig::default()
    }
}

fn sheets(sheets: &[(&str, &str)]) -> Vec<(Name, String)> {
    sheets.iter().map(|(name, text)| (Name::new(*name).unwrap(), (*text).to_owned())).collect()
}

fn cast(config: SceneConfig, given: &[(&str, &str)]) -> Result<SceneSetup, Problem> {
    let model_of = |_: &Name, sheet: &Sheet| sheet.model.clone().unwrap_or("improviser".into());
    SceneSetup::cast(
        RunId(Uuid::nil()),
        config,
        sheets(given),
        SceneOptions { models: models(), ..SceneOptions::default() },
        model_of,
        7,
    )
}

#[test]
fn a_cast_scene_holds_everything() {
    let setup =
        cast(config(&["alice", "bob"]), &[("bob", "A late man."), ("alice", "# Alice - PM\nStrict.")])
            .unwrap();
    expect![[r##"
        {
          "run": "00000000-0000-0000-0000-000000000000",
          "name": "quick-apology",
          "config": {
            "name": "quick-apology",
            "prompt": "Bob apologizes to Alice for being late. Alice accepts.",
            "characters": [
              "alice",
              "bob"
            ],
            "initialSpeaker": "Bob",
            "goals": [
              "Bob apologizes"
            ]
          },
          "cast": [
            {
              "name": "alice",
              "display": "Alice",
              "sheet": "# Alice - PM\nStrict.",
              "model": "improviser"
            },
            {
              "name": "bob",
              "display": "Bob",
              "sheet": "A late man.",
              "model": "improviser"
            }
          ],
          "opener": "bob",
          "goals": [
            "Bob apologizes"
          ],
          "maxBeats": 50,
          "replyTimeoutMs": 30000,
          "window": 10,
          "seed": 7,
          "models": {
            "improviser": {
              "description": "a test",
              "context": "window",
              "price": {
                "uncached": 0,
                "cacheRead": 0,
                "cacheWrite": 0,
                "output": 0
              }
            }
          },
          "prompts": {
            "builtIn": {
              "character.j2": "b54ec7cf1efe59f2",
              "event_writer.j2": "c1927f5fc61a369b",
              "judge.j2": "165b7984c196ceee",
              "rules.j2": "a99ba5eaf0267ca9",
              "update.j2": "1ef4cbdb5ba896ca"
            }
          }
        }"##]]
    .assert_eq(&format!("{:#}", serde_json::to_value(&setup).unwrap()));
}

#[test]
fn goals_come_out_of_the_prompt_by_display_name() {
    let config = SceneConfig { goals: Vec::new(), ..config(&["alice", "bob"]) };
    let setup = cast(config, &[("bob", "x"), ("alice", "x")]).unwrap();
    expect![[r#"["Bob apologizes to Alice for being late", "Alice accepts"]"#]]
        .assert_eq(&format!("{:?}", setup.goals));
}

#[test]
fn the_config_s_own_seed_wins() {
    let config = SceneConfig { seed: Some(u64::MAX), ..config(&["alice", "bob"]) };
    assert_eq!(cast(config, &[("bob", "x"), ("alice", "x")]).unwrap().seed, u64::MAX);
}

#[test]
fn what_cannot_be_cast() {
    let check = |characters: &[&str], given: &[(&str, &str)], expected: Expect| {
        let problem = cast(config(characters), given).unwrap_err();
        expected.assert_eq(&format!(
            "{}: {problem}\nhint: {}\n",
            problem.code.as_str(),
            problem.hint.as_deref().unwrap_or("-")
        ));
    };
    check(
        &["bob"],
        &[("bob", "x")],
        expect![[r#"
        INVALID_CONFIG: A scene takes 2 to 12 characters, 1 was given
        hint: -
    "#]],
    );
    check(
        &["bob", "carol"],
        &[("bob", "x")],
        expect![[r#"
        CHARACTER_LOAD_ERROR: Character 'carol' not found. Ensure .claude/agents/carol.md exists.
        hint: -
    "#]],
    );
    check(
        &["bob", "carol"],
        &[("bob", "x"), ("carol", "")],
        expect![[r#"
        CHARACTER_LOAD_ERROR: Failed to load character 'carol': carol.md is empty
        hint: describe the character in it: personality, way of speaking, background
    "#]],
    );
    check(
        &["bob", "carol"],
        &[("bob", "x"), ("carol", "---\nname: BOB\n---\nx")],
        expect![[r#"
        INVALID_CONFIG: characters 'bob' and 'carol' are both called BOB on stage
        hint: give one of them another 'name:' in the front matter of its sheet
    "#]],
    );
    // In other letters.
    check(
        &["bob", "carol"],
        &[("bob", "x"), ("carol", "---\nname: Воb\n---\nx")],
        expect![[r#"
        INVALID_CONFIG: characters 'bob' and 'carol' are both called Воb on stage
        hint: give one of them another 'name:' in the front matter of its sheet
    "#]],
    );
    check(
        &["bob", "carol"],
        &[("bob", "x"), ("carol", "---\nmodel: improvisor\n---\nx")],
        expect![[r#"
        INVALID_CONFIG: character 'carol' asks for the model 'improvisor', which is not known
        hint: did you mean 'improviser'?
    "#]],
    );
}
