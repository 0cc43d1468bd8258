//! The figures below a transcript, worded so that what is unknown is said to be unknown.

use super::{Adviser, SceneReport, wording::display};
use crate::{
    report::{
        Tokens,
        figures::{about, cost, counted, seconds},
        statistics::{cache, players, tokens},
    },
    scene::{HiddenPurpose, SceneSetup},
    text::one_line,
};

/// Labels and figures, in the order they are shown.
pub(super) fn statistics(story: &SceneReport) -> Vec<(&'static str, String)> {
    let setup = &story.setup;
    let mut statistics = vec![
        ("Duration", counted(u64::from(story.beats), "beat")),
        ("Processing time", seconds(story.time.total_ms())),
        ("Total tokens", tokens(&story.ledger, &setup.models)),
        ("Estimated cost", cost(story.ledger.total().cost())),
    ];
    statistics.extend(forked(story).map(|forked| ("Forked from", forked)));
    statistics.extend(hidden(story));
    statistics.extend(cache(&story.ledger).map(|cache| ("Cache", cache)));
    statistics.extend(fallbacks(story).map(|fallbacks| ("Fallbacks", fallbacks)));
    statistics.extend([
        ("Played by", played_by(setup)),
        ("Seed", setup.seed.to_string()),
        ("Run", setup.run.to_string()),
    ]);
    statistics
}

/// Whose beginning it shares, and what that had cost: the figures above do not hold it.
fn forked(story: &SceneReport) -> Option<String> {
    let from = story.forked_from?;
    let totals = story.ledger.inherited.unwrap_or_default();
    let spent = match totals.tokens() {
        Tokens::NoCalls | Tokens::NoModel | Tokens::Known(0) => String::new(),
        Tokens::Unknown => " (what was used until then is unknown)".to_owned(),
        Tokens::AtLeast(count) => {
            format!(" (until then at least {} tokens, {})", about(count), cost(totals.cost()))
        }
        Tokens::Known(count) => format!(" (until then {} tokens, {})", about(count), cost(totals.cost())),
    };
    Some(format!("run {}, after {}{spent}", from.run_id, from.told()))
}

/// What the hidden calls have of the figures above.
fn hidden(story: &SceneReport) -> impl Iterator<Item = (&'static str, String)> {
    let labels =
        [(HiddenPurpose::Judge, "Of these, judge"), (HiddenPurpose::WorldEvent, "Of these, world events")];
    labels.into_iter().filter_map(|(purpose, label)| {
        let totals = story.ledger.by_purpose.get(&purpose.into())?;
        let calls = counted(totals.made(), "call");
        let spent = match totals.tokens() {
            Tokens::Unknown => "what they used is unknown".to_owned(),
            Tokens::AtLeast(count) => format!("at least {} tokens, {}", about(count), cost(totals.cost())),
            tokens => format!("{} tokens, {}", about(tokens.count().unwrap_or(0)), cost(totals.cost())),
        };
        Some((label, format!("{calls}{}, {spent}", failures(story, purpose))))
    })
}

/// How many of the hidden calls failed, and why the last of them did. Nothing else in a transcript shows it.
fn failures(story: &SceneReport, purpose: HiddenPurpose) -> String {
    match story.advisers.get(&purpose) {
        Some(Adviser { failed, last_error: Some(error), .. }) => {
            format!(" ({failed} failed: {})", one_line(error))
        }
        _ => String::new(),
    }
}

/// Which fallbacks have answered, for whom and how often.
fn fallbacks(story: &SceneReport) -> Option<String> {
    let answered = story.fallbacks.iter().flat_map(|(actor, replies)| {
        replies.iter().map(move |(model, times)| {
            let replies = counted(u64::from(*times), "answer");
            format!("{} for {} ({replies})", one_line(model), display(&story.setup, actor))
        })
    });
    let answered: Vec<String> = answered.collect();
    (!answered.is_empty()).then(|| answered.join("; "))
}

/// Who played whom.
pub(super) fn played_by(setup: &SceneSetup) -> String {
    let cast = setup.cast.iter().map(|role| (role.model.as_str(), display(setup, &role.name)));
    players(&setup.models, cast)
}
