//! One contract, every store: what the traits `Log` and `Store` promise, held against each implementation.
//!
//! A new store joins by giving a [`Stage`] and one `contract!` line; what only that store promises has files
//! of its own.

mod accounts;
mod backing_up;
mod checkpoints;
mod conversations;
mod counters;
mod extracts;
mod idempotency_keys;
mod imports;
mod inbox;
mod kill;
mod listing;
mod opening;
mod owners;
mod promises;
mod queue;
mod removal;
mod resting;
mod rows;

use std::sync::Arc;

use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log, Store,
    log::{Claim, MemoryStore, NewRun},
    store::Submission,
};
use enact_store::SqliteStore;
use tempfile::TempDir;
use uuid::Uuid;

macro_rules! contract {
    ($store:ident) => {
        mod $store {
            use super::{
                Stage, accounts, checkpoints, conversations, counters, extracts, idempotency_keys, imports, inbox,
                listing, owners, promises, queue, removal, resting, rows,
            };

            contract! { promises in $store:
                what_is_appended_is_read_back_byte_for_byte
                appends_of_any_length_are_stored
                reading_starts_anywhere
                gaps_and_repeats_are_refused
                an_append_is_stored_whole_or_not_at_all
                a_run_is_created_once
                unknown_runs_are_not_found
                runs_are_listed_newest_first
                two_hundred_runs_append_at_once
                only_the_offender_of_a_crowd_is_refused
                appends_sent_together_are_stored_in_order
                to_append_nothing_is_to_ask_whether_the_claim_counts
            }
            contract! { owners in $store:
                a_run_has_one_owner_until_it_is_released
                an_old_claim_appends_nothing
                a_released_claim_appends_nothing
                an_old_claim_releases_nothing
                of_many_who_claim_at_once_one_succeeds
            }
            contract! { queue in $store:
                a_run_that_is_enqueued_waits_with_its_records
                a_run_is_enqueued_once
                a_queue_takes_no_log_with_gaps
                the_oldest_is_claimed_first
                what_was_claimed_is_played_and_waits_again_when_it_is_released
                a_run_is_taken_out_of_the_queue_by_name_too
                what_was_begun_by_hand_is_in_no_queue
                of_many_who_claim_at_once_each_run_goes_to_one
                what_is_put_back_says_why_and_waits
                what_was_put_back_comes_back_when_its_pause_is_over
                an_old_claim_puts_nothing_back
                who_waits_for_news_finds_what_waits
                a_run_that_is_given_up_is_news_if_it_waits
            }
            contract! { idempotency_keys in $store:
                the_same_order_makes_one_run
                a_key_is_used_for_one_thing
                of_many_who_order_at_once_one_makes_a_run
                of_many_who_use_a_key_at_once_one_gets_it
                an_order_that_makes_nothing_leaves_its_key_free
            }
            contract! { conversations in $store:
                a_conversation_goes_from_run_to_run
                a_conversation_is_busy_until_its_newest_run_has_ended
                who_was_made_ready_for_another_run_comes_too_late
                conversations_know_nothing_of_each_other
                a_cleared_conversation_begins_anew_with_its_next_run
                what_is_cleared_while_the_next_run_is_made_ready_stays_cleared
                a_removed_run_leaves_no_conversation
                an_order_is_recognised_however_busy_its_conversation_is
                who_is_refused_leaves_nothing_behind
                of_many_who_begin_a_conversation_at_once_one_does
                of_many_who_go_on_with_a_conversation_at_once_one_does
                of_many_who_repeat_an_order_at_once_one_begins_a_conversation
                a_conversation_survives_a_crowd
                who_waits_for_news_finds_the_next_run
            }
            contract! { inbox in $store:
                commands_come_in_order_and_as_they_were_written
                commands_are_read_by_whoever_plays
                a_command_is_taken_with_what_follows_from_it
                many_commands_are_taken_at_once
                a_run_takes_no_command_of_another
                an_old_claim_takes_no_command
                the_end_of_a_run_empties_its_inbox
                a_run_does_not_end_before_all_commands_are_read
                what_refuses_commands_is_stored_after_all_are_read
                a_command_is_read_or_refused_however_a_run_ends
                nobody_writes_to_a_run_that_is_not
                nobody_writes_to_a_run_that_nobody_plays
                an_inbox_takes_only_so_many
                one_full_inbox_is_read_bit_by_bit
                who_waits_for_news_finds_commands
            }
            contract! { resting in $store:
                a_resting_run_is_found_by_no_poll
                who_lets_a_run_rest_has_given_it_up
                a_command_wakes_a_run_for_who_posts_it
                a_command_wakes_a_run_for_any_node
                what_was_woken_is_played_by_others_when_it_is_given_up
                a_run_that_does_not_rest_is_not_claimed_by_a_command
                others_hear_of_a_run_that_waits_for_them
                a_run_does_not_rest_while_a_command_waits
                only_the_newest_claim_lets_a_run_rest
                what_has_ended_does_not_rest
                a_resting_run_is_claimed_by_name_and_removed_like_others
                a_resting_run_that_was_claimed_by_name_and_given_up_can_be_woken
                a_run_that_never_rested_stays_out_of_the_queue_when_it_is_claimed_by_name
                of_many_who_post_at_once_one_wakes_the_run
                many_runs_rest_and_wake_at_once
            }
            contract! { rows in $store:
                rows_are_stored_with_the_append_they_follow_from
                a_refused_append_changes_no_rows
                only_the_offender_of_a_crowd_changes_no_rows
                rows_are_found_by_kind_account_run_and_key
                pages_of_rows_are_in_a_stable_order
                rows_are_replaced_if_the_log_has_not_grown
                rows_that_are_replaced_while_a_run_is_played_are_those_of_its_log
                a_run_is_enqueued_with_its_rows
                a_run_is_imported_with_its_rows
                rows_go_with_their_run
            }
            contract! { checkpoints in $store:
                a_checkpoint_is_replaced_by_a_newer_one
                a_refused_append_leaves_the_checkpoint
                many_checkpoints_are_stored_at_once
                a_checkpoint_goes_with_its_run
                a_checkpoint_is_dropped_when_rows_are_replaced
            }
            contract! { accounts in $store:
                a_run_knows_its_account_however_it_was_made
                what_is_hidden_leaves_no_gap_in_pages
            }
            contract! { listing in $store:
                runs_are_found_by_every_filter
                a_run_is_found_before_it_has_begun
                pages_miss_and_repeat_nothing_while_runs_are_added
                a_part_of_a_log_is_read
                a_store_says_that_it_is_there
                a_run_that_a_person_holds_up_is_listed_as_paused
            }
            contract! { removal in $store:
                a_run_that_is_played_is_busy
                a_removed_run_leaves_nothing_behind
                who_played_a_removed_run_appends_nothing
                forks_outlive_their_parent
            }
            contract! { imports in $store:
                a_finished_run_is_kept_as_it_was
                an_unfinished_run_waits_to_be_resumed
                what_cannot_be_imported_leaves_nothing
            }
            contract! { extracts in $store:
                extracts_are_found_by_kind_and_time
                what_is_kept_again_replaces_what_was_kept
                finished_runs_without_an_extract_are_found
                nothing_is_kept_of_a_run_that_is_gone
            }

            contract! { counters in $store:
                all_who_count_at_once_are_counted
                counters_outlive_rows_that_are_made_anew
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

                #[test]
                fn no_command_is_lost_when_runs_rest(scripts in resting::scripts()) {
                    let runtime = tokio::runtime::Runtime::new().unwrap();
                    runtime.block_on(async {
                        resting::no_command_is_lost_when_runs_rest(Stage::$store().await, scripts).await;
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
#[cfg(feature = "postgres-tests")]
contract!(postgres);

/// One place for runs, opened twice: each of the two is an owner of its own where the store knows owners.
struct Stage {
    first: Arc<dyn Store>,
    second: Arc<dyn Store>,
    /// Kept until the logs are done with it.
    _folder: Option<TempDir>,
}

impl Stage {
    async fn memory() -> Stage {
        let log: Arc<dyn Store> = Arc::new(MemoryStore::default());
        Stage { first: log.clone(), second: log, _folder: None }
    }

    async fn sqlite() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let first = Arc::new(SqliteStore::open(folder.path()).await.unwrap());
        let second = Arc::new(SqliteStore::open(folder.path()).await.unwrap());
        Stage { first, second, _folder: Some(folder) }
    }

    #[cfg(feature = "postgres-tests")]
    async fn postgres() -> Stage {
        let url = crate::database::fresh().await;
        let first = Arc::new(enact_store::PostgresStore::open(&url).await.unwrap());
        let second = Arc::new(enact_store::PostgresStore::open(&url).await.unwrap());
        Stage { first, second, _folder: None }
    }

    /// Whether what the first plays is another's to the second.
    fn knows_owners(&self) -> bool {
        !Arc::ptr_eq(&self.first, &self.second)
    }
}

/// A new run of its own, claimed.
pub(crate) async fn begin(log: &dyn Log) -> Claim {
    log.create(new_run()).await.unwrap()
}

/// A new run of its own with one record, waiting.
async fn enqueue(store: &dyn Store) -> RunId {
    let new = new_run();
    store.enqueue(submission(new.clone(), records([0]))).await.unwrap();
    new.run
}

pub(crate) fn submission(run: NewRun, records: Vec<Record>) -> Submission {
    Submission { run, records, rows: Vec::new(), idempotency_key: None, next: None }
}

/// A command as a production may have it. Stores do not look inside.
pub(crate) fn command(name: &str) -> Arc<str> {
    format!(r#"{{"command":"{name}"}}"#).into()
}

pub(crate) fn new_run() -> NewRun {
    NewRun {
        run: RunId(Uuid::now_v7()),
        production: "scene",
        name: "the-apology".to_owned(),
        at: 1_000,
        parent: None,
        account: String::new(),
    }
}

/// A record whose body says where it belongs.
pub(crate) fn record(seq: u64) -> Record {
    with_body(seq, &format!(r#"{{"number":{seq}}}"#))
}

pub(crate) fn records(seqs: impl IntoIterator<Item = u64>) -> Vec<Record> {
    seqs.into_iter().map(record).collect()
}

pub(crate) fn with_body(seq: u64, body: &str) -> Record {
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
