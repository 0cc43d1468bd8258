//! One contract, every store: what the `Log` trait promises, held against each implementation.
//!
//! A new store joins by giving a [`Stage`] and one `contract!` line; what only that store promises has files of its
//! own.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod kill;
mod opening;
mod owners;
mod promises;

use std::sync::Arc;

use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log,
    log::{Claim, MemoryLog, NewRun},
};
use enact_store::SqliteLog;
use tempfile::TempDir;
use uuid::Uuid;

macro_rules! contract {
    ($store:ident) => {
        mod $store {
            use crate::{Stage, owners, promises};

            contract! { promises in $store:
                what_is_appended_is_read_back_byte_for_byte
                reading_starts_anywhere
                gaps_and_repeats_are_refused
                an_append_is_stored_whole_or_not_at_all
                a_run_is_created_once
                unknown_runs_are_not_found
                runs_are_listed_newest_first
                two_hundred_runs_append_at_once
                only_the_offender_of_a_crowd_is_refused
                appends_sent_together_are_stored_in_order
            }
            contract! { owners in $store:
                a_run_has_one_owner_until_it_is_released
                an_old_claim_appends_nothing
                a_released_claim_appends_nothing
                an_old_claim_releases_nothing
                of_many_who_claim_at_once_one_succeeds
            }

            proptest::proptest! {
                #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
                #[test]
                fn owners_who_take_turns_store_each_seq_once(moves in owners::moves()) {
                    let runtime = tokio::runtime::Runtime::new().unwrap();
                    runtime.block_on(async {
                        let stage = Stage::$store().await;
                        owners::owners_who_take_turns_store_each_seq_once(stage, moves).await;
                    });
                }
            }
        }
    };
    ($module:ident in $store:ident: $($promise:ident)*) => {
        $(
            #[tokio::test]
            async fn $promise() {
                $module::$promise(Stage::$store().await).await;
            }
        )*
    };
}

contract!(memory);
contract!(sqlite);

/// One place for logs, opened twice: each of the two is an owner of its own where the store knows owners.
struct Stage {
    first: Arc<dyn Log>,
    second: Arc<dyn Log>,
    /// Kept until the logs are done with it.
    _folder: Option<TempDir>,
}

impl Stage {
    async fn memory() -> Stage {
        let log: Arc<dyn Log> = Arc::new(MemoryLog::default());
        Stage { first: log.clone(), second: log, _folder: None }
    }

    async fn sqlite() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let first = Arc::new(SqliteLog::open(folder.path()).await.unwrap());
        let second = Arc::new(SqliteLog::open(folder.path()).await.unwrap());
        Stage { first, second, _folder: Some(folder) }
    }
}

/// A new run of its own, claimed.
async fn begin(log: &dyn Log) -> Claim {
    log.create(new_run()).await.unwrap()
}

fn new_run() -> NewRun {
    NewRun {
        run: RunId(Uuid::now_v7()),
        production: "scene",
        name: "the-apology".to_owned(),
        at: 1_000,
        parent: None,
    }
}

/// A record whose body says where it belongs.
fn record(seq: u64) -> Record {
    with_body(seq, &format!(r#"{{"number":{seq}}}"#))
}

fn records(seqs: impl IntoIterator<Item = u64>) -> Vec<Record> {
    seqs.into_iter().map(record).collect()
}

fn with_body(seq: u64, body: &str) -> Record {
    let body = serde_json::value::RawValue::from_string(body.to_owned()).unwrap();
    Record { seq: Seq(seq), at: 1_000 + seq as i64, kind: "noted".to_owned(), v: 1, body }
}

/// What a log holds, for comparing: records have no equality of their own.
async fn stored(log: &dyn Log, run: RunId) -> Vec<String> {
    shown(&log.read(run, Seq(0)).await.unwrap())
}

fn shown(records: &[Record]) -> Vec<String> {
    records.iter().map(|r| format!("{} {} {} v{} {}", r.seq.0, r.at, r.kind, r.v, r.body.get())).collect()
}
