//! The seam between the server and its productions holds.

pub(crate) mod server;

use std::{fs, path::Path, sync::Arc};

use axum::{body::Body, http::Request};
use enact_testkit::waiting;
use tower::ServiceExt;

use crate::{access::Access, routes::guarded};

/// Each has a folder, and only files in it may name its module, here or in the rules.
const PRODUCTIONS: [&str; 5] = ["scene", "chorus", "episode", "field", "mind"];

/// Files that know both: what the crate gives to others, and what unit tests are made with.
const MEETING_PLACES: [&str; 3] = ["lib.rs", "tests/mod.rs", "tests/server.rs"];

#[tokio::test]
async fn a_server_that_stopped_holds_its_store_no_longer() {
    let node = server::node();
    let store = Arc::downgrade(node.store());
    let router = guarded(node.clone(), &server::with_minds(), Default::default(), Access::default());
    // A mind stays in memory long after its last call.
    let made =
        Request::post("/v1/minds").header("host", "localhost").header("content-type", "application/json");
    let made = made.body(Body::from(r#"{ "mind_id": "ada", "entity_id": "npc_1" }"#)).unwrap();
    let made = router.clone().oneshot(made).await.unwrap();
    assert_eq!(made.status(), 201);
    node.stop().await;
    drop((made, router, node));
    waiting::until(async || store.upgrade().is_none()).await;
}

#[test]
fn no_file_knows_a_production_but_its_own() {
    let mut found = Vec::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    visit(&src, &mut found);
    assert!(found.len() > 40, "{found:?}");
    for path in found {
        if MEETING_PLACES.iter().any(|place| path == src.join(place)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for production in PRODUCTIONS {
            if path.components().any(|part| part.as_os_str() == production) {
                continue;
            }
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let named: Vec<&str> = code.filter(|line| line.contains(&format!("{production}::"))).collect();
            assert!(named.is_empty(), "{} names {production}s: {named:?}", path.display());
        }
    }
}

/// Axum's own refuses with plain text.
#[test]
fn the_parameters_of_a_path_are_refused_in_json() {
    let mut found = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    for path in found.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let text = fs::read_to_string(path).unwrap();
        let arguments = text.lines().filter(|line| line.trim_end().ends_with(','));
        let taken = arguments.filter(|line| line.contains("): Path<")).count();
        assert_eq!(taken, 0, "{} takes axum's Path: use PathParams", path.display());
    }
}

fn visit(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, found);
        } else {
            found.push(path);
        }
    }
}
