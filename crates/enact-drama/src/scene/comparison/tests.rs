//! Three contenders as they might really differ, and the corners.

use expect_test::expect;
use proptest::prelude::*;

use super::{Comparison, Contender, Spread, Weight, page, table};
use crate::{
    judge::{GoalStatus, Verdict},
    model_card::ModelCard,
    scene::{
        Outcome, SceneEnd, SceneEvent,
        report::{
            SceneReport,
            tests::facts::{Facts, name, speak},
        },
    },
    usage::{Price, Usage},
};

const PRICE: Price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };

/// A run of so many beats, each of which takes a little longer than the one before.
fn run(price: Option<Price>, usage: Option<Usage>, beats: u32, beat_ms: i64, end: SceneEnd) -> SceneReport {
    let mut facts = Facts::of("office-confrontation");
    facts.setup.models.insert("m".to_owned(), ModelCard { price, ..ModelCard::free("a model") });
    facts.setup.cast.iter_mut().for_each(|role| role.model = "m".to_owned());
    facts.usage = usage;
    for beat in 0..beats {
        facts = facts.beat().later(beat_ms + 100 * i64::from(beat)).reply("alice", speak("calm", "Well."));
        facts = match beat % 4 {
            1 => facts.asked("bob").answered("bob", speak("calm", "So."), &["no tone"], Outcome::Taken),
            3 => facts.fails("bob", "Response timeout after 30s"),
            _ => facts.reply("bob", speak("calm", "So.")),
        };
    }
    let met = end == SceneEnd::GoalAchieved;
    let goal = |met| GoalStatus { met: Some(met), ..GoalStatus::unknown("g") };
    let goals = vec![goal(true), goal(met)];
    let verdict = Verdict { complete: met, confidence: 0.9, goals, closure: met, positions: true };
    facts.fact(SceneEvent::Judged { verdict }).ended(end).story()
}

fn comparison() -> Comparison {
    let cached = Some(Usage { uncached: 40, cache_read: 2_400, cache_write: 180, output: 60, ..Usage::NONE });
    let plain = Some(Usage { uncached: 1_900, cache_read: 0, cache_write: 0, output: 62, ..Usage::NONE });
    let lead = [
        run(Some(PRICE), cached, 12, 1_800, SceneEnd::GoalAchieved),
        run(Some(PRICE), cached, 16, 2_000, SceneEnd::GoalAchieved),
        run(Some(PRICE), cached, 20, 2_100, SceneEnd::MaxBeatsExceeded),
    ];
    let window = [
        run(Some(PRICE), plain, 14, 2_900, SceneEnd::GoalAchieved),
        run(Some(PRICE), plain, 20, 3_300, SceneEnd::MaxBeatsExceeded),
        run(None, None, 20, 3_100, SceneEnd::MaxBeatsExceeded),
    ];
    let improviser = [
        run(Some(Price::FREE), Some(Usage::NONE), 9, 0, SceneEnd::GoalAchieved),
        run(Some(Price::FREE), Some(Usage::NONE), 9, 0, SceneEnd::GoalAchieved),
        run(Some(Price::FREE), Some(Usage::NONE), 9, 0, SceneEnd::GoalAchieved),
    ];
    Comparison {
        scene: name("office-confrontation"),
        contenders: vec![
            Contender::of("lead", &lead),
            Contender::of("window:lead", &window),
            Contender::of("improviser", &improviser),
        ],
    }
}

fn text(comparison: &Comparison, columns: usize) -> String {
    table(comparison, columns).iter().map(|line| format!("{}\n", line.text)).collect()
}

#[test]
fn three_contenders_stand_side_by_side_in_eighty_columns() {
    let text = text(&comparison(), 80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    expect![[r#"
        Office Confrontation: 3 contenders, 3 runs each

                        lead                 window:lead          improviser
        time per beat   2.7 s                4.0 s                400 ms
                        1.8 s–4.0 s          2.9 s–5.2 s          0 ms–800 ms
        first word      –                    –                    –
        tokens/second   500                  517                  –
                                             known of 2 runs
        beats           16                   20                   9
                        12–20                14–20
        tokens in       83,840               64,600               0
                        62,880–104,800       53,200–76,000
                                             known of 2 runs
        tokens out      1,920                2,108                0
                        1,440–2,400          1,736–2,480
                                             known of 2 runs
        cost            $0.0773              $0.225               $0.00
                        $0.058–$0.0966       $0.186–$0.265
                                             known of 2 runs
        input bill      19%                  100%                 –
                                             known of 2 runs
        cache hits      92%                  0%                   –
                                             known of 2 runs
        replies parsed  72 (75%)             81 (75%)             42 (78%)
        salvaged        12 (13%)             14 (13%)             6 (11%)
        failed          12 (13%)             13 (12%)             6 (11%)
        goal reached    2 of 3 runs          1 of 3 runs          3 of 3 runs
        goals met       2 of 2               1 of 2               2 of 2
                        1–2                  1–2
        ends            2× goal achieved     2× max beats         3× goal achieved
                        1× max beats         exceeded
                        exceeded             1× goal achieved
        unaccounted     0 calls              40 calls             0 calls

        Figures are the median over runs, with the smallest and the largest below; time
        per beat is over all beats of all runs, replies are all of them together.
        Tokens and cost are those of the whole run, the judge's and the event writer's
        calls included.
        First word: from a question to the first word of its answer, where answers came
        as streams. Tokens/second: what actors' models put out, thoughts included, for
        the time that was waited.
        Input bill: what the input cost, of the same requests billed without a cache.
        Cache hits: how much of the input was read from a cache.
        Salvaged replies did not keep to the format and were read as well as possible;
        failed ones gave nothing.
    "#]]
    .assert_eq(&text);
}

#[test]
fn contenders_that_do_not_fit_stand_below_and_long_names_are_broken() {
    let mut comparison = comparison();
    comparison.contenders[1].name = "window:anthropic:claude-something-long-4-5".to_owned();
    comparison.contenders.extend(comparison.contenders.clone());
    for columns in [40, 60, 80, 200] {
        let lines = table(&comparison, columns);
        assert!(lines.iter().all(|line| line.text.chars().count() <= columns), "{columns} {lines:#?}");
        let heads: Vec<&str> = lines
            .iter()
            .filter(|line| line.weight == Weight::Heading)
            .map(|line| line.text.as_str())
            .collect();
        let squeezed: String = heads.concat().split_whitespace().collect();
        assert_eq!(squeezed.matches("improviser").count(), 2, "{columns}: {squeezed}");
    }
}

#[test]
fn nothing_played_is_shown_as_nothing() {
    let comparison = Comparison { scene: name("quick"), contenders: vec![Contender::of("lead", &[])] };
    let shown = text(&comparison, 80);
    assert!(shown.starts_with("Quick: 1 contender, 0 runs each\n"), "{shown}");
    assert!(
        shown.contains("\ncost            –\n") && shown.contains("\ngoal reached    0 of 0 runs\n"),
        "{shown}"
    );
    assert!(page(&comparison).contains("lead: –"));
}

#[test]
fn programs_get_every_run_and_null_for_what_is_unknown() {
    let json = serde_json::to_value(comparison()).expect("JSON");
    let (lead, window) = (&json["contenders"][0], &json["contenders"][1]);
    assert_eq!(
        lead["summary"]["beats"],
        serde_json::json!({"median": 16.0, "min": 12.0, "max": 20.0, "of": 3})
    );
    assert_eq!(lead["summary"]["ends"], serde_json::json!({"goal_achieved": 2, "max_beats_exceeded": 1}));
    assert_eq!(lead["runs"][0]["beatMs"][1], 1_900);
    assert!(lead["summary"]["inputBillRatio"]["median"].as_f64().is_some_and(|ratio| ratio < 0.25), "{lead}");
    assert!(window["runs"][2]["estimatedUSD"].is_null() && window["runs"][2]["inputTokens"].is_null());
    assert_eq!(window["summary"]["estimatedUSD"]["of"], 2);
    assert_eq!(window["summary"]["cacheHitRate"]["max"], 0.0);
}

#[test]
fn the_page_stands_alone_and_says_in_words_what_it_draws() {
    let html = page(&comparison());
    for banned in ["<script", "http://", "https://", "url(", "<link", "<img"] {
        assert!(!html.contains(banned), "{banned}");
    }
    assert_eq!(html.matches("<svg role=\"img\" aria-labelledby=").count(), 8);
    assert_eq!(html.matches("</desc>").count(), 8);
    assert!(
        html.contains("<desc id=\"goals-desc\">lead: 2 of 3; window:lead: 1 of 3; improviser: 3 of 3</desc>")
    );
    // One dot for every run of which something is known: a free run has neither rate nor bill.
    assert_eq!(html.matches("<circle").count(), 9 + 8 + 5 + 5 + 9 + 9);
}

#[test]
fn what_a_contender_is_called_cannot_become_markup() {
    let mut comparison = comparison();
    comparison.contenders[0].name = "<b onclick='x'>&\"".to_owned();
    let html = page(&comparison);
    assert!(!html.contains("<b ") && html.contains("&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;"));
}

proptest! {
    #[test]
    fn a_spread_lies_within_its_values(values in prop::collection::vec(-1e9..1e9_f64, 0..20)) {
        match Spread::of(values.iter().copied()) {
            None => prop_assert!(values.is_empty()),
            Some(Spread { median, min, max, of }) => {
                prop_assert_eq!(of, values.len());
                prop_assert!(values.contains(&min) && values.contains(&max));
                let below = values.iter().filter(|value| **value < median).count();
                let above = values.iter().filter(|value| **value > median).count();
                prop_assert!(below * 2 <= of && above * 2 <= of && min <= median && median <= max);
            }
        }
    }
}
