//! A chorus as it is to be heard.

use expect_test::expect;

use super::facts::Facts;
use crate::{production::Report, report::recording::Plan};

#[test]
fn turns_are_heard_one_after_the_other_as_they_were_said() {
    let plan = Plan::of(&Facts::whole().story().document());
    let cues = plan.cues.iter().map(|cue| match &cue.speech {
        Some(said) => {
            assert_eq!(said.meant, None, "nobody is cut off in a chorus");
            format!("{:>3} ms  {} ({}): {}\n", cue.pause_ms, cue.who, said.profile.as_str(), said.text)
        }
        None => panic!("everybody can be heard"),
    });
    expect![[r#"
          0 ms  GPT-4o (energetic_upbeat): Rivers carry what towns forget.
        400 ms  Claude Opus 4.5 (warm_professional): I would rather ask the sea.
        700 ms  GPT-4o (energetic_upbeat): Ask it gently, then.
        400 ms  Claude Opus 4.5 (warm_professional): Towns forget on purpose.
        700 ms  Claude Opus 4.5 (warm_professional): Gently is the only way it answers.
    "#]]
    .assert_eq(&cues.collect::<String>());
}
