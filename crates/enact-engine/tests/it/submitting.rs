//! What the nodes of these tests play, and how runs and commands reach them.

use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    chorus::Chorus,
    scene::{Command, Scene, SceneSetup},
};
use enact_engine::{
    Node, Productions,
    log::{CommandId, NewRun},
    node::{Error, Submitter},
};

/// 2023-11-14, when every run of these tests is made.
pub(crate) const AT: i64 = 1_700_000_000_000;

/// Scenes and choruses.
pub(crate) fn productions() -> Productions {
    Productions::default().with::<Scene>().with::<Chorus>()
}

/// The first record of a run.
pub(crate) fn first<P: Production>(event: P::Event) -> Record {
    Record::of(&Fact { seq: Seq(0), at: AT, event })
}

/// Puts a scene into the queue.
pub(crate) async fn submit(node: &Node, setup: SceneSetup) -> RunId {
    let submitted = node.submit(first::<Scene>(Scene::beginning(setup)), Submitter::default()).await.unwrap();
    assert!(!submitted.repeated);
    submitted.run
}

/// Posts a command to a scene.
pub(crate) async fn steer(node: &Node, run: RunId, command: Command) {
    post::<Scene>(node, run, &command).await.unwrap();
}

/// Posts a command to a run of any production.
pub(crate) async fn post<P: Production>(
    node: &Node,
    run: RunId,
    command: &P::Command,
) -> Result<CommandId, Error> {
    node.command(run, &serde_json::to_string(command).unwrap()).await
}

/// A scene as stores know it.
pub(crate) fn about(run: RunId) -> NewRun {
    NewRun {
        run,
        production: Scene::NAME,
        name: "test".to_owned(),
        at: 0,
        parent: None,
        account: String::new(),
    }
}
