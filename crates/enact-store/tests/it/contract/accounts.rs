//! Which account made a run, and who does not see it.

use enact_drama::RunId;
use enact_engine::{
    log::{Batch, NewRun, Status},
    store::{Listing, Visible},
};

use super::{Stage, new_run, records, submission};

pub(crate) async fn a_run_knows_its_account_however_it_was_made(stage: Stage) {
    let new = |account: &str| NewRun { account: account.to_owned(), ..new_run() };
    let (created, enqueued, imported, nameless) = (new("ann"), new("bob's — 否"), new("cid"), new(""));
    let claim = stage.first.create(created.clone()).await.unwrap();
    stage.first.append(&claim, Batch::of(records([0]))).await.unwrap();
    stage.first.enqueue(submission(enqueued.clone(), records([0]))).await.unwrap();
    stage.first.import(imported.clone(), records([0]), Vec::new(), None).await.unwrap();
    stage.first.enqueue(submission(nameless.clone(), records([0]))).await.unwrap();
    for store in [&stage.first, &stage.second] {
        let listed = store.runs().await.unwrap();
        for made in [&created, &enqueued, &imported, &nameless] {
            assert_eq!(store.find(made.run).await.unwrap().account, made.account);
            assert!(listed.iter().any(|run| run.run == made.run && run.account == made.account), "{made:?}");
        }
    }
}

pub(crate) async fn what_is_hidden_leaves_no_gap_in_pages(stage: Stage) {
    let mut made: Vec<(RunId, &str, &str)> = Vec::new();
    for number in 0..24 {
        let production = ["chat", "scene", "diary", "chat"][number % 4];
        let account = ["ann", "bob", ""][number % 3];
        let new = NewRun { production, account: account.to_owned(), ..new_run() };
        stage.first.enqueue(submission(new.clone(), records([0]))).await.unwrap();
        made.insert(0, (new.run, production, account));
    }
    let show = |productions: &[&str], account: Option<&str>| {
        let productions = productions.iter().map(|&production| production.to_owned()).collect();
        Visible { productions, account: account.map(str::to_owned) }
    };
    let filters = [
        show(&["scene", "diary"], Some("ann")),
        show(&["scene"], Some("bob")),
        show(&["scene", "diary"], Some("")),
        show(&[], Some("nobody")),
        show(&["chat", "scene", "diary"], Some("ann")),
        show(&["opera"], Some("ann")),
        show(&["scene"], None),
        show(&[], None),
    ];
    for visible in filters {
        for production in [None, Some("chat"), Some("scene")] {
            for statuses in [vec![], vec![Status::Waiting]] {
                let wanted = Listing {
                    production: production.map(str::to_owned),
                    visible: Some(visible.clone()),
                    statuses,
                    most: 3,
                    ..Listing::default()
                };
                let is_seen = |(_, of, account): &&(RunId, &str, &str)| {
                    let is_own = visible.account.as_deref() == Some(account);
                    let is_visible = is_own || visible.productions.iter().any(|production| production == of);
                    is_visible && production.is_none_or(|wanted| wanted == *of)
                };
                let expected: Vec<RunId> = made.iter().filter(is_seen).map(|(run, ..)| *run).collect();
                assert_eq!(turn_pages(&stage, wanted.clone()).await, expected, "{wanted:?}");
            }
        }
    }
}

/// All that is listed, page by page; only the last one may be short.
async fn turn_pages(stage: &Stage, wanted: Listing) -> Vec<RunId> {
    let mut seen: Vec<RunId> = Vec::new();
    loop {
        let page =
            stage.second.list(&Listing { before: seen.last().copied(), ..wanted.clone() }).await.unwrap();
        seen.extend(page.iter().map(|run| run.run));
        if page.len() < wanted.most {
            return seen;
        }
    }
}
