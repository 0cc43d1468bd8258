//! What is known of tokens and money, and how the statistics word what is not.

use expect_test::expect;

use super::facts::{Facts, name, speak};
use crate::{
    budget::{Budget, Reserve},
    judge::Verdict,
    model_card::ModelCard,
    report::{CallTotals, Cost, InputBill},
    scene::HiddenPurpose,
    scene::{
        Advice, Fidelity, Opinion, SceneEnd, SceneEvent,
        report::{debug_log, metadata, transcript},
    },
    usage::{NanoUsd, Price, UntoldTries, Usage},
};

const PRICE: Price = Price { uncached: 1_000, cache_read: 100, cache_write: 1_250, output: 5_000 };
const USED: Usage =
    Usage { uncached: 2_000, cache_read: 10_000, cache_write: 400, output: 600, ..Usage::NONE };
/// 2,000,000 + 1,000,000 + 500,000 + 3,000,000
const ONE_CALL: NanoUsd = NanoUsd(6_500_000);

/// A scene whose actors are played by language models at these prices.
fn played(prices: [Option<Price>; 3]) -> Facts {
    let mut facts = Facts::of("quick");
    for ((model, price), role) in ["a", "b", "c"].into_iter().zip(prices).zip(&mut facts.setup.cast) {
        role.model = model.to_owned();
        let description = format!("model {model}");
        facts.setup.models.insert(model.to_owned(), ModelCard { price, ..ModelCard::free(description) });
    }
    facts.usage = Some(USED);
    facts
}

/// The two lines of the statistics that tell what was spent.
fn told(facts: Facts) -> [String; 2] {
    let text = transcript(&facts.story());
    let figure = |label: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(label));
        line.expect("the figure is shown").to_owned()
    };
    [figure("- Total tokens: "), figure("- Estimated cost: ")]
}

fn says(facts: Facts, who: &str) -> Facts {
    facts.reply(who, speak("calm", "Well."))
}

fn says_without_usage(mut facts: Facts, who: &str) -> Facts {
    let usage = facts.usage.take();
    let mut facts = says(facts, who);
    facts.usage = usage;
    facts
}

#[test]
fn what_is_known_is_told_and_what_is_not_is_said_to_be_unknown() {
    let free = || played([Some(Price::FREE); 3]).beat();
    let paid = || played([Some(PRICE); 3]).beat();
    let unpriced = || played([Some(PRICE), None, Some(PRICE)]).beat();
    let improvised = || Facts::of("quick").beat();
    let cases: [(&str, Facts, [&str; 2]); 12] = [
        ("no call", paid(), ["none: no model was asked", "$0.00 USD"]),
        ("improviser", says(improvised(), "bob"), ["none: no language model was used", "$0.00 USD"]),
        (
            "improviser, killed while it was asked",
            says(improvised(), "bob").asked("bob").fact(SceneEvent::Resumed {}),
            ["none: no language model was used", "$0.00 USD"],
        ),
        ("one call", says(paid(), "bob"), ["~13,000", "$0.0065 USD"]),
        ("two calls", says(says(paid(), "bob"), "alice"), ["~26,000", "$0.01 USD"]),
        ("free model", says(free(), "bob"), ["~13,000", "$0.00 USD"]),
        (
            "free model that did not tell",
            says_without_usage(free(), "bob"),
            ["unknown, 1 call did not tell", "$0.00 USD"],
        ),
        (
            "one of two did not tell",
            says_without_usage(says(paid(), "bob"), "alice"),
            ["at least ~13,000, what 1 call used is unknown", "at least $0.0065 USD"],
        ),
        ("nobody told", says_without_usage(paid(), "bob"), ["unknown, 1 call did not tell", "unknown"]),
        ("no price", says(unpriced(), "bob"), ["~13,000", "unknown"]),
        ("no price for somebody who was never asked", says(unpriced(), "alice"), ["~13,000", "$0.0065 USD"]),
        (
            "cancelled while two were asked",
            says(paid(), "bob").asked("alice").asked("bob").ended(SceneEnd::Cancelled),
            ["at least ~13,000, what 2 calls used is unknown", "at least $0.0065 USD"],
        ),
    ];
    for (case, facts, expected) in cases {
        assert_eq!(told(facts), expected.map(str::to_owned), "{case}");
    }
}

/// A call that told only how many tries it made is as unknown as one that told nothing.
#[test]
fn tries_without_tokens_are_not_zero_tokens() {
    let silent = Usage { partial: true, untold: Some(UntoldTries { output: 0, all: 1 }), ..Usage::NONE };
    for price in [Some(PRICE), Some(Price::FREE), None] {
        for before in [0, 1] {
            let facts = || match before {
                0 => played([price; 3]).beat(),
                _ => says(played([price; 3]).beat(), "alice"),
            };
            let mut silently = facts();
            silently.usage = Some(silent);
            let (silently, unknown) = (says(silently, "bob"), says_without_usage(facts(), "bob"));
            assert_eq!(told(silently), told(unknown), "{price:?} {before}");
        }
    }
}

#[test]
fn calls_under_way_when_the_process_died_are_counted_once_each_time() {
    let mut facts = played([Some(PRICE); 3]).beat().asked("alice").asked("bob");
    facts = facts.fact(SceneEvent::Resumed {}).fact(SceneEvent::Resumed {});
    facts = facts.answered("bob", speak("calm", "Well."), &[], crate::scene::Outcome::Taken);
    let story = facts.story();
    let total = story.ledger.total();
    assert_eq!((total.unaccounted, total.calls, total.usage), (4, 1, USED));
    assert_eq!(story.ledger.by_actor[&name("alice")].unaccounted, 2);
    assert_eq!(total.cost(), Cost::AtLeast(ONE_CALL));
}

#[test]
fn every_call_stands_in_an_account_of_each_kind() {
    let facts = says(says(says(played([Some(PRICE), None, None]).beat(), "alice").beat(), "alice"), "bob");
    let ledger = facts.story().ledger;
    let calls = |totals: Vec<&CallTotals>| -> Vec<u64> { totals.iter().map(|a| a.calls).collect() };
    assert_eq!(calls(ledger.by_actor.values().collect()), [2, 1]);
    assert_eq!(calls(ledger.by_beat.values().collect()), [1, 2]);
    assert_eq!(calls(ledger.by_model.values().collect()), [2, 1]);
    assert_eq!(ledger.by_actor[&name("alice")].cost(), Cost::Known(NanoUsd(2 * ONE_CALL.0)));
    assert_eq!(ledger.by_actor[&name("bob")].cost(), Cost::Unknown);
}

#[test]
fn unknown_money_is_null_in_the_metadata_and_never_zero() {
    let facts = says_without_usage(says(played([Some(PRICE), None, Some(PRICE)]).beat(), "bob"), "charlie");
    let metadata = serde_json::to_value(metadata(&says(facts, "alice").story())).expect("JSON");
    let costs = &metadata["costs"];
    assert_eq!(costs["totalTokens"], 26_000);
    assert!(costs["estimatedUSD"].is_null());
    assert_eq!(costs["unaccounted"], 1);
    let of =
        |who: &str| (&costs["byCharacter"][who]["totalTokens"], &costs["byCharacter"][who]["estimatedUSD"]);
    assert_eq!(of("alice"), (&13_000.into(), &0.0065.into()));
    assert_eq!(of("bob"), (&13_000.into(), &serde_json::Value::Null));
    assert_eq!(of("charlie"), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(metadata["model"]["bob"], "b");
}

#[test]
fn different_players_are_named_with_their_roles() {
    let mut facts = played([Some(PRICE); 3]);
    facts.setup.cast[2].model = "a".to_owned();
    let text = transcript(&facts.story());
    assert!(text.contains("- Played by: model a (Alice, Charlie); model b (Bob)\n"), "{text}");
}

/// A scene with a judge and an event writer, who are asked beside the first two beats.
fn advised() -> Facts {
    let mut facts = played([Some(PRICE), Some(PRICE), None]);
    (facts.setup.judge, facts.setup.event_writer) = (Some("b".to_owned()), Some("b".to_owned()));
    says(facts.beat(), "alice")
        .consulted(HiddenPurpose::Judge, "b")
        .beat()
        .advised(Advice::Opinion(opinion()), &["the evidence 'I beg you' was never said"])
        .consulted(HiddenPurpose::WorldEvent, "b")
        .advised(Advice::WorldEvent("The lights go out".to_owned()), &[])
        .consulted(HiddenPurpose::Judge, "b")
        .advice_fails("Response timeout after 30s")
}

fn opinion() -> Opinion {
    let verdict =
        Verdict { complete: false, confidence: 0.4, goals: Vec::new(), closure: false, positions: true };
    let fidelity = vec![Fidelity { actor: name("bob"), score: 0.9, why: "Quite himself.".to_owned() }];
    Opinion { beat: 0, verdict, fidelity, left_to_explore: false, note: None, note_to: None }
}

#[test]
fn hidden_calls_are_in_every_account_but_the_actors() {
    let ledger = advised().story().ledger;
    let calls = |totals: &CallTotals| (totals.calls, totals.unaccounted);
    assert_eq!(ledger.by_actor.keys().map(|name| name.as_str()).collect::<Vec<_>>(), ["alice"]);
    assert_eq!(ledger.by_beat.values().map(calls).collect::<Vec<_>>(), [(2, 0), (2, 0)]);
    assert_eq!(ledger.by_model.values().map(calls).collect::<Vec<_>>(), [(1, 0), (3, 0)]);
    let by_purpose: Vec<_> =
        ledger.by_purpose.iter().map(|(purpose, totals)| (purpose.as_str(), calls(totals))).collect();
    assert_eq!(by_purpose, [("judge", (2, 0)), ("reply", (1, 0)), ("world_event", (1, 0))]);
    assert_eq!(ledger.total().cost(), Cost::Known(NanoUsd(4 * ONE_CALL.0)));
}

#[test]
fn hidden_calls_nobody_waited_for_are_unaccounted() {
    let asked = || advised().consulted(HiddenPurpose::Judge, "b");
    let judge = |facts: Facts| facts.story().ledger.by_purpose[&HiddenPurpose::Judge.into()].unaccounted;
    assert_eq!(judge(asked()), 0);
    assert_eq!(judge(asked().fact(SceneEvent::Resumed {})), 1);
    assert_eq!(judge(asked().ended(SceneEnd::Cancelled)), 1);
    assert_eq!(judge(asked().fact(SceneEvent::Resumed {}).ended(SceneEnd::Cancelled)), 2);
}

#[test]
fn outcomes_of_hidden_calls_that_were_never_noted_are_booked_all_the_same() {
    let mut facts = played([Some(PRICE); 3]).beat();
    (facts.setup.judge, facts.setup.event_writer) = (Some("b".to_owned()), Some("c".to_owned()));
    let ledger =
        facts.advised(Advice::WorldEvent("Thunder".to_owned()), &[]).advice_fails("no").story().ledger;
    assert_eq!(ledger.by_model.keys().collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(ledger.by_purpose.len(), 2);
}

#[test]
fn the_transcript_says_what_hidden_calls_and_caches_did() {
    let text = transcript(&advised().story());
    let statistics = text.split("STATISTICS:\n").nth(1).expect("statistics");
    expect![[r#"
        - Duration: 2 beats
        - Processing time: 0.0s
        - Total tokens: ~52,000
        - Estimated cost: $0.03 USD
        - Of these, judge: 2 calls (1 failed: Response timeout after 30s), ~26,000 tokens, $0.01 USD
        - Of these, world events: 1 call, ~13,000 tokens, $0.0065 USD
        - Cache: 81% of input read from cache
        - Played by: model a (Alice); model b (Bob); model c (Charlie)
        - Seed: 7
        - Run: 0199aa51-7b90-7000-8000-000000000001
    "#]]
    .assert_eq(statistics);
}

#[test]
fn metadata_has_purposes_models_beats_cache_drift_and_budget() {
    let mut facts = advised().drifted("bob").drifted("bob");
    facts.setup.budget = Budget { cost: Some(NanoUsd(500_000_000)), tokens: None };
    let metadata = serde_json::to_value(metadata(&facts.story())).expect("JSON");
    let costs = &metadata["costs"];
    let usage = |times: u64| {
        let Usage { uncached, cache_read, cache_write, output, .. } = USED;
        serde_json::json!({
            "uncached": uncached * times, "cacheRead": cache_read * times,
            "cacheWrite": cache_write * times, "output": output * times,
        })
    };
    assert_eq!(
        costs["byPurpose"]["judge"],
        serde_json::json!({
            "calls": 2, "totalTokens": 26_000, "estimatedUSD": 0.013, "usage": usage(2), "unaccounted": 0
        })
    );
    assert_eq!(costs["byPurpose"]["reply"]["calls"], 1);
    assert_eq!(costs["byPurpose"]["world_event"]["totalTokens"], 13_000);
    assert_eq!(costs["byBeat"]["1"]["usage"], usage(2));
    assert_eq!(costs["byModel"]["b"]["calls"], 3);
    let rate = costs["cacheHitRate"].as_f64().expect("a number");
    assert!((rate - 10_000.0 / 12_400.0).abs() < 1e-9, "{rate}");
    assert_eq!(metadata["drift"], serde_json::json!({"bob": 2}));
    assert_eq!(metadata["counts"]["drifts"], 2);
    assert_eq!(metadata["budget"], serde_json::json!({"usd": 0.5}));
}

#[test]
fn without_input_there_is_no_rate_and_without_a_limit_no_budget() {
    let metadata = metadata(&says(Facts::of("quick").beat(), "bob").story());
    assert_eq!((metadata.costs.cache_hit_rate, metadata.budget), (None, None));
}

#[test]
fn the_input_bill_is_held_against_the_same_requests_without_a_cache() {
    let total = |facts: Facts| facts.story().ledger.total().input_bill();
    let bill = total(says(played([Some(PRICE); 3]).beat(), "bob")).expect("a bill");
    // 2,000 at 1,000, 10,000 at 100 and 400 at 1,250 against 12,400 at 1,000.
    assert_eq!(bill, InputBill { paid: NanoUsd(3_500_000), uncached: NanoUsd(12_400_000) });
    assert!((bill.ratio() - 3.5 / 12.4).abs() < 1e-9);
    assert_eq!(total(says(played([None; 3]).beat(), "bob")), None);
    assert_eq!(total(says(played([Some(Price::FREE); 3]).beat(), "bob")), None);
}

#[test]
fn the_debug_log_tells_of_hidden_calls_and_what_every_call_cost() {
    let facts = advised().drifted("bob").fact(SceneEvent::ThreadTrimmed { actor: name("bob"), through: 4 });
    let reserved = Some(Reserve { tokens: 9_000, cost: Some(NanoUsd(30_000_000)) });
    let facts = facts.fact(SceneEvent::BeatOpened {
        beat: 2,
        to: vec![name("bob")],
        deadline: crate::CallId(99),
        timeout_ms: 30_000,
        reserved,
    });
    let text = debug_log(&says(facts, "charlie").log());
    let told: Vec<&str> = text.lines().skip(2).map(|line| line.split_at(56).1).collect();
    expect![[r#"
        ,"message":"alice replied in 120 ms: speaks, tone calm","actor":"alice","usage":{"uncached":2000,"cacheRead":10000,"cacheWrite":400,"output":600},"usd":0.0065}
        ,"message":"the model judge is asked, played by b","purpose":"judge","model":"b"}
        ,"message":"beat 1 opened for alice, bob, charlie","timeoutMs":30000}
        ,"message":"the model judge answered in 340 ms: after beat 0 it thinks the scene not complete, 0 of 0 goals met, confidence 0.40 (left out: the evidence 'I beg you' was never said)","opinion":{"beat":0,"verdict":{"complete":false,"confidence":0.4,"goals":[],"closure":false,"positions":true},"fidelity":[{"actor":"bob","score":0.9,"why":"Quite himself."}],"leftToExplore":false,"note":null},"complaints":["the evidence 'I beg you' was never said"],"usage":{"uncached":2000,"cacheRead":10000,"cacheWrite":400,"output":600},"usd":0.0065}
        ,"message":"the event writer is asked, played by b","purpose":"world_event","model":"b"}
        ,"message":"the event writer answered in 340 ms: suggests: The lights go out","event":"The lights go out","usage":{"uncached":2000,"cacheRead":10000,"cacheWrite":400,"output":600},"usd":0.0065}
        ,"message":"the model judge is asked, played by b","purpose":"judge","model":"b"}
        ,"message":"the model judge gave nothing of use, the rules go on alone: Response timeout after 30s","error":"Response timeout after 30s","usage":{"uncached":2000,"cacheRead":10000,"cacheWrite":400,"output":600},"usd":0.0065}
        ,"message":"bob has fallen out of character (0.30): Too mild by half.","actor":"bob","score":0.3,"why":"Too mild by half."}
        ,"message":"bob's thread is summed up through beat 4","actor":"bob","through":4}
        ,"message":"beat 2 opened for bob","timeoutMs":30000,"reserved":{"tokens":9000,"usd":0.03}}
        ,"message":"charlie replied in 120 ms: speaks, tone calm","actor":"charlie","usage":{"uncached":2000,"cacheRead":10000,"cacheWrite":400,"output":600},"usd":null}"#]].assert_eq(&told.join("\n"));
}

#[test]
fn what_the_provider_billed_is_the_cost_even_without_a_price() {
    let mut facts = played([Some(PRICE), None, Some(PRICE)]).beat();
    facts.usage = Some(Usage { billed: Some(NanoUsd(2_000_000)), ..USED });
    let ledger = says(says(facts, "bob"), "alice").story().ledger;
    assert_eq!(ledger.by_actor[&name("bob")].cost(), Cost::Known(NanoUsd(2_000_000)));
    assert_eq!(ledger.total().cost(), Cost::Known(NanoUsd(4_000_000)));
    assert_eq!(ledger.total().usage.billed, Some(NanoUsd(4_000_000)));
    assert_eq!(ledger.by_actor[&name("bob")].input_bill(), None);
}

#[test]
fn a_call_that_told_a_part_is_one_call() {
    let mut facts = advised();
    facts.usage = Some(Usage { partial: true, ..USED });
    let story = facts.consulted(HiddenPurpose::Judge, "b").advice_fails("Connection dropped").story();
    let costs = serde_json::to_value(metadata(&story)).expect("JSON")["costs"]["byPurpose"]["judge"].clone();
    assert_eq!((&costs["calls"], &costs["unaccounted"]), (&3.into(), &1.into()));
    let text = transcript(&story);
    assert!(text.contains("- Of these, judge: 3 calls (2 failed: Connection dropped), at least"), "{text}");
}

/// Tokens that were put out, for the time that was waited: from the log alone, so that a replay says the same.
#[test]
fn speed_is_told_of_models_that_put_out_tokens() {
    let story = says(says(played([Some(PRICE); 3]).beat(), "bob"), "alice").story();
    let told = metadata(&story).speed;
    // 600 tokens in 120 ms, each.
    assert_eq!(told.len(), 2);
    assert!(told.values().all(|speed| (speed.answers, speed.tokens_per_second) == (1, 5_000.0)), "{told:?}");
    assert!(told.values().all(|speed| speed.first_word_ms.is_none()), "none came as a stream");
    let improvised = says(Facts::of("quick").beat(), "bob").story();
    assert!(metadata(&improvised).speed.is_empty());
}
