//! What a log comes to: time, money, speech.

use super::facts::{Facts, setup, slot};
use crate::{
    CallId, Purpose,
    chorus::{ChorusEnd, ChorusEvent, Refused, Turn, report::metadata},
    model_card::ModelCard,
    production::FailureKind,
    report::Tokens,
    usage::{NanoUsd, Price, Usage},
    voice::VoiceProfile,
};

const USED: Usage = Usage { uncached: 100, output: 20, ..Usage::NONE };

/// Two slots, played by a language model at a price.
fn paid() -> Facts {
    let mut setup = setup(&["gpt-4o", "gemini-3"]);
    let price = Some(Price { uncached: 1_000, output: 5_000, ..Price::FREE });
    setup.models.insert("improviser".to_owned(), ModelCard { price, ..ModelCard::free("a model") });
    let mut facts = Facts::of(setup);
    facts.usage = Some(USED);
    facts
}

#[test]
fn every_call_is_in_the_books_once() {
    let facts = paid().turn(Turn::Respond, &[1, 2]).says(Turn::Respond, 1, "Yes.");
    let facts = facts.fails(Turn::Respond, 2, "it broke off", FailureKind::Truncated);
    let story = facts.done(Turn::Respond).ended(ChorusEnd::Completed).story();
    let totals = |name: u8| story.ledger.by_actor[&slot(name).name()];
    assert_eq!((totals(1).calls, totals(2).calls), (1, 1));
    assert_eq!(story.ledger.by_purpose[&Purpose::named("response")].made(), 2);
    assert_eq!(story.ledger.by_beat[&1].usage.total(), 240);
    assert_eq!(story.ledger.total().known_cost(), NanoUsd(2 * (100 * 1_000 + 20 * 5_000)));
}

#[test]
fn refused_comments_are_paid_for_too() {
    let mut facts = paid().turn(Turn::Comment, &[2]);
    let (first, second) = (CallId(2), facts.call());
    let (raw, why) = ("{}".to_owned(), Refused::AtOneself);
    let facts = facts.fact(ChorusEvent::CommentRefused {
        text: "Me.".to_owned(),
        profile: VoiceProfile::default(),
        warnings: Vec::new(),
        call: first,
        slot: slot(2),
        raw,
        why,
        usage: Some(USED),
        took_ms: 10,
    });
    let (turn, model) = (Turn::Comment, "improviser".to_owned());
    let facts = facts.fact(ChorusEvent::SlotAsked {
        call: second,
        turn,
        slot: slot(2),
        model,
        again: true,
        fallback: false,
        reserved: None,
    });
    let story = facts.comments(2, 1, "Quite.").story();
    assert_eq!(story.ledger.by_purpose[&Purpose::named("comment")].made(), 2);
    assert_eq!(metadata(&story).counts.refused, 1);
}

#[test]
fn what_was_under_way_when_a_process_died_is_unaccounted_for() {
    let facts = paid().turn(Turn::Respond, &[1, 2]).says(Turn::Respond, 1, "Yes.");
    let resumed = facts.fact(ChorusEvent::Resumed {}).says(Turn::Respond, 2, "No.");
    let total = resumed.story().ledger.total();
    assert_eq!((total.calls, total.unaccounted), (2, 1));

    let cancelled = paid().turn(Turn::Respond, &[1]).ended(ChorusEnd::Cancelled).story();
    assert_eq!(cancelled.ledger.tokens(), Tokens::Unknown);
}

#[test]
fn time_counts_while_somebody_plays() {
    let mut facts = Facts::begun();
    facts.wait(60_000);
    let mut facts = facts.turn(Turn::Respond, &[1]);
    facts.wait(3_600_000);
    let story = facts.fact(ChorusEvent::Resumed {}).says(Turn::Respond, 1, "Yes.").story();
    // From the turn's start to the ask, and from resuming to the answer.
    assert_eq!(story.played_ms, 200);
}

#[test]
fn speech_is_added_up_by_who_spoke() {
    let story = Facts::whole().story();
    let heard = story.heard["embedded (flite, kal16)"];
    assert_eq!((heard.files, heard.duration_ms, heard.bytes), (4, 10_000, 4 * 80_044));
    let counts = metadata(&story).counts;
    assert_eq!((counts.parsed, counts.mended, counts.voiced, counts.unvoiced), (4, 1, 4, 1));
}
