//! A long scene costs a request no more than a short one, and is played the same.

use std::{cell::RefCell, ops::Range};

use enact_drama::{
    request::Request,
    scene::{SceneConfig, View, ViewCache},
};

use super::theatre::{bare_sheets, config, heated_discussion, play_with, the_apology};
use crate::improviser::{improvise, read_so_far::lines_looked_at};

const BEATS: u32 = 200;

/// Two improvise, and two never say the same twice, so that the scene goes on.
fn long_scene() -> SceneConfig {
    let config = config("Ann and Ben fell out over the rent.", &["ann", "ben", "cal", "dee"], Some("ann"));
    // A goal that is open for long would end the scene.
    let goals = vec!["Ann does not thank Dee".to_owned()];
    SceneConfig { max_beats: Some(i64::from(BEATS)), goals, ..config }
}

fn says(view: &View) -> Option<(String, u64)> {
    let (beat, me) = (view.beat, &view.me);
    let words = format!("Round {beat}: what would {me} and {} say of all this?", beat * 7919 % 1009);
    Some((format!("[TO: Dee, TONE: tense, *turns page {beat} for {me}*] \"{words}\""), 500))
}

fn view(request: &Request) -> &View {
    request.view().unwrap()
}

#[test]
fn a_request_costs_the_same_however_long_the_scene_is() {
    let looked_at = RefCell::new(vec![[0; 2]; BEATS as usize]);
    let config = long_scene();
    let sheets = bare_sheets(&config);
    let played = play_with(config, sheets, 1, |request| {
        let view = view(request);
        let forgetful = View { cache: ViewCache::default(), ..view.clone() };
        let counted = [view, &forgetful].map(|view| {
            let before = lines_looked_at();
            (improvise(view), lines_looked_at() - before)
        });
        let [(improvised, _), _] = counted.clone();
        for (sum, (_, lines)) in looked_at.borrow_mut()[view.beat as usize].iter_mut().zip(counted) {
            *sum += lines;
        }
        if ["ann", "dee"].contains(&view.me.as_str()) { Some(improvised) } else { says(view) }
    });
    assert_eq!(played.beats(), BEATS, "{}", played.read());
    let growth = |of: usize| {
        let sum = |beats: Range<usize>| looked_at.borrow()[beats].iter().map(|sums| sums[of]).sum::<usize>();
        // A template that is wanted for the first time is looked for in all lines, so single beats differ.
        sum(0..200) as f64 / sum(0..100) as f64
    };
    let (cached, forgetful) = (growth(0), growth(1));
    assert!(cached < 2.3, "twice as many beats cost {cached:.2} times as much");
    assert!(forgetful > 3.0, "without what was read before it would be more than {forgetful:.2} times");
}

#[test]
fn what_was_read_before_changes_no_answer() {
    let scenes = [the_apology(), heated_discussion(), (long_scene(), bare_sheets(&long_scene()))];
    for (config, sheets) in scenes {
        for seed in 0..4 {
            let config = SceneConfig { max_beats: Some(40), ..config.clone() };
            play_with(config, sheets.clone(), seed, |request| {
                let view = view(request);
                let improvised = improvise(view);
                let alone = View { cache: ViewCache::default(), ..view.clone() };
                assert_eq!(improvise(&alone), improvised, "seed {seed}, beat {}, {}", view.beat, view.me);
                if view.me.as_str() == "cal" && seed % 2 == 0 { says(view) } else { Some(improvised) }
            });
        }
    }
}

/// An actor that is asked late sees less than the others have read by then.
#[test]
fn an_earlier_view_is_answered_as_it_was() {
    let earlier = RefCell::new(Vec::new());
    let (config, sheets) = the_apology();
    play_with(config, sheets, 3, |request| {
        let view = view(request);
        let improvised = improvise(view);
        earlier.borrow_mut().push((view.clone(), improvised.clone()));
        Some(improvised)
    });
    assert!(earlier.borrow().len() > 10);
    for (view, answer) in earlier.borrow().iter() {
        assert_eq!(improvise(view), *answer, "beat {}, {}", view.beat, view.me);
    }
}
