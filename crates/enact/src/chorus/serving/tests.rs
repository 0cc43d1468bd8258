use enact_drama::{budget::Budget, usage::NanoUsd};
use enact_engine::Artifacts;
use expect_test::expect;

use super::*;

/// With a file that was merely found.
fn configured(text: &str) -> (tempfile::TempDir, ChorusAssembler) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home of the operator");
    std::fs::create_dir(&home).unwrap();
    std::fs::write(home.join("enact.toml"), text).unwrap();
    let config = Config::load(None, &home).unwrap();
    let artifacts = Artifacts::in_folder(folder.path().join("artifacts"));
    let project = Arc::new(ServedProject::new(config, crate::productions(), artifacts));
    (folder, ChorusAssembler::new(project).unwrap())
}

fn chorus(seats: &[(u8, &str)]) -> ChorusRequest {
    let seats = seats.iter().map(|(slot, agent)| (*slot, (*agent).to_owned())).collect();
    ChorusRequest { message: "Hello".to_owned(), seats, ..ChorusRequest::default() }
}

#[tokio::test]
async fn choruses_are_assembled_from_what_the_file_says() {
    let (_folder, project) = configured(
        "[models.keyed]\nprovider = 'openai'\nmodel = 'm'\nkey_env = 'ENACT_TESTS_NEVER_SET_THIS'\n
         [chorus]\nanswer_timeout_seconds = 5\nvoice = 'none'\n
         [[chorus.agents]]\nid = 'sage'\n[[chorus.agents]]\nid = 'keyed'\n",
    );
    let ids = project.agents().into_iter().map(|agent| agent.id.to_string());
    assert_eq!(ids.collect::<Vec<_>>(), ["sage", "keyed"]);
    // A key that is missing costs those it plays their answers, once they are asked for them.
    let setup = project.assemble(chorus(&[(1, "keyed")])).await.unwrap();
    let card = &setup.models["keyed"];
    assert_eq!((card.provider.as_deref(), card.model.as_deref()), (Some("openai"), Some("m")));
    let setup = project.assemble(chorus(&[(3, "sage")])).await.unwrap();
    assert_eq!((setup.answer_timeout_ms, &setup.voice), (5_000, &None));
    assert_eq!((setup.seats[0].slot.number(), setup.seats[0].model.as_str()), (3, "improviser"));
    let mut table = String::new();
    for seats in [&[(1, "sgae")][..], &[(9, "sage")], &[]] {
        let problem = project.assemble(chorus(seats)).await.unwrap_err();
        table.push_str(&format!("{seats:?}: {problem} ({})\n", problem.hint.as_deref().unwrap_or("-")));
    }
    expect![[r#"
        [(1, "sgae")]: there is no agent 'sgae' (did you mean 'sage'?)
        [(9, "sage")]: slots are numbered 1 to 6; this one is 9 (-)
        []: a chorus takes 1 to 6 slots; none was given (-)
    "#]]
    .assert_eq(&table);
}

#[tokio::test]
async fn the_budget_holds_for_choruses_too() {
    let (_folder, project) = configured("[serve]\nbudget = 0.25\nbudget_tokens = 9000\n");
    let setup = project.assemble(chorus(&[(1, "gpt-4o")])).await.unwrap();
    let Budget { cost, tokens } = setup.budget;
    assert_eq!((cost.map(NanoUsd::usd), tokens), (Some(0.25), Some(9_000)));
}
