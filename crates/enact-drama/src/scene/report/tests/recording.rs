//! A scene as it is to be heard.

use expect_test::{Expect, expect};

use super::facts::{Facts, interrupt, react, silent, speak};
use crate::{
    production::Report,
    report::recording::{CueTimes, Plan, captions},
    voice::Utterance,
};

fn shown(plan: &Plan) -> String {
    let mut text = format!("{}\n", plan.title);
    for cue in &plan.cues {
        let says = |said: &Utterance| format!("{}/{} {:?}", said.profile.as_str(), said.variant, said.text);
        let speech = match &cue.speech {
            Some(said) => match &said.meant {
                Some(meant) => format!("{} of {meant:?}", says(said)),
                None => says(said),
            },
            None => "without a sound".to_owned(),
        };
        text.push_str(&format!("{:>4} ms  {}: {speech}\n", cue.pause_ms, cue.who));
    }
    text
}

fn check(facts: Facts, expected: Expect) {
    expected.assert_eq(&shown(&Plan::of(&facts.story().document())));
}

#[test]
fn lines_events_and_cuts_are_heard_and_nothing_else() {
    check(
        Facts::of("office-confrontation")
            .beat()
            .reply("alice", speak("cold", "Sit down. We lost Henderson."))
            .beat()
            .reply("bob", speak("nervous", "*sighs* I can explain what happened with the file."))
            .reply("charlie", speak("calm", "Let him."))
            .reply("alice", silent())
            .beat()
            .reply("alice", interrupt("explain", "angry", "No, you can't!"))
            .cut("explain", "alice")
            .reply("bob", react("hurt", "looks down"))
            .event("A phone rings.")
            .system("Charlie unable to respond")
            .reply("charlie", speak("calm", "...")),
        expect![[r#"
            Office Confrontation
               0 ms  Alice: playful_expressive/0 "Sit down. We lost Henderson."
             700 ms  Bob: friendly_casual/0 "I can explain—" of "I can explain what happened with the file."
               0 ms  Charlie: warm_professional/0 "Let him."
             100 ms  Alice: playful_expressive/0 "No, you can't!"
             400 ms  the narrator: calm_soothing/0 "A phone rings."
             400 ms  Charlie: without a sound
        "#]],
    );
}

#[test]
fn captions_have_the_times_of_the_recording() {
    let plan = Plan::of(
        &Facts::of("quick")
            .beat()
            .reply("alice", speak("cold", "Sit <down> & listen to what I say."))
            .reply("bob", interrupt("Sit <down>", "angry", "No."))
            .cut("Sit <down>", "bob")
            .event("It rains.")
            .story()
            .document(),
    );
    let heard = [(0, 612), (612, 1_100), (3_601_500, 3_601_500)];
    let heard = heard.map(|(start_ms, end_ms)| CueTimes { start_ms, end_ms });
    expect![[r#"
        WEBVTT - Quick

        NOTE These are the times of the recording.

        1
        00:00:00.000 --> 00:00:00.612
        <v Alice>Sit &lt;down—</v>

        2
        00:00:00.612 --> 00:00:01.100
        <v Bob>No.</v>

        3
        01:00:01.500 --> 01:00:01.501
        <i>[It rains.]</i>
    "#]]
    .assert_eq(&captions(&plan, &heard));
}
