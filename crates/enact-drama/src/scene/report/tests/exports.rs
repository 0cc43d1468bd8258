//! Every export of one small scene, and what each format must not misread.

use expect_test::{Expect, expect};

use super::facts::{Facts, interrupt, react, silent, speak};
use crate::{production::Report, report::Format, scene::SceneEnd};

fn quick() -> Facts {
    let mut facts = Facts::of("quick-apology");
    facts.setup.config.stage_directions = true;
    facts.setup.config.setting = Some("A kitchen, at night".to_owned());
    facts
        .beat()
        .reply("bob", speak("sheepish", "I know I'm late, but the traffic was...").to("Alice"))
        .beat()
        .reply("alice", interrupt("late", "cold", "Don't.").doing("turns away"))
        .cut("but the traffic", "alice")
        .reply("charlie", silent().doing("looks at the floor"))
        .event("The kettle whistles")
        .beat()
        .reply("bob", react("ashamed", "puts down the keys"))
        .fails("charlie", "Response timeout after 30s")
        .system("Charlie unable to respond")
        .reply("alice", speak("tired", "*Fine.* It's <okay> & done_"))
        .ended(SceneEnd::GoalAchieved)
}

pub(super) fn check(format: Format, expect: Expect) {
    expect.assert_eq(&format.render(&quick().story().document()));
}

#[test]
fn as_text() {
    check(
        Format::Txt,
        expect![[r#"
        SCENE: Quick Apology
        CHARACTERS: Alice, Bob, Charlie
        GOAL: Bob apologizes, Alice accepts
        GENERATED: 2025-10-03 14:32:18

        ---

        [SCENE START]
        [Setting: A kitchen, at night]

        Bob [TO: Alice, TONE: sheepish] "I know I'm late, but the traffic—"

        Alice [INTERRUPT after "late", TONE: cold, *turns away*] "Don't."

        Charlie [SILENT, *looks at the floor*]

        [EVENT: The kettle whistles]

        Bob [REACT, TONE: ashamed, *puts down the keys*]

        [SYSTEM: Charlie unable to respond]

        Alice [TONE: tired] "*Fine.* It's <okay> & done_"

        [SCENE END - Goal: Achieved]

        ---

        STATISTICS:
        - Duration: 3 beats
        - Processing time: 0.0s
        - Total tokens: none: no language model was used
        - Estimated cost: $0.00 USD
        - Played by: improviser (built-in rules, not a language model)
        - Seed: 7
        - Run: 0199aa51-7b90-7000-8000-000000000001
    "#]],
    );
}

#[test]
fn as_markdown() {
    check(
        Format::Md,
        expect![[r#"
        # Quick Apology

        - **Characters:** Alice, Bob, Charlie
        - **Goal:** Bob apologizes, Alice accepts
        - **Setting:** A kitchen, at night
        - **Generated:** 2025-10-03 14:32:18 UTC

        ---

        **Bob** (to Alice, sheepish): I know I'm late, but the traffic—

        **Alice** (interrupting, cold) *turns away*: Don't.

        **Charlie** *looks at the floor*

        > **Event:** The kettle whistles

        **Bob** (ashamed) *puts down the keys*

        > **System:** Charlie unable to respond

        **Alice** (tired): \*Fine.\* It's \<okay\> \& done\_

        ---

        *SCENE END - Goal: Achieved*

        ## Statistics

        - Duration: 3 beats
        - Processing time: 0.0s
        - Total tokens: none: no language model was used
        - Estimated cost: \$0.00 USD
        - Played by: improviser (built-in rules, not a language model)
        - Seed: 7
        - Run: 0199aa51-7b90-7000-8000-000000000001
    "#]],
    );
}

#[test]
fn as_fountain() {
    check(
        Format::Fountain,
        expect![[r#"
        Title: Quick Apology
        Credit: played by
        Author: improviser (built-in rules, not a language model)
        Draft date: 2025-10-03
        Notes: Goal: Bob apologizes, Alice accepts

        .A KITCHEN, AT NIGHT

        BOB
        (to Alice, sheepish)
        I know I'm late, but the traffic—

        ALICE
        (interrupting, cold, turns away)
        Don't.

        !Charlie looks at the floor.

        !The kettle whistles

        !Bob puts down the keys.

        [[Charlie unable to respond]]

        ALICE
        (tired)
        \*Fine.\* It's <okay> & done\_

        > SCENE END - Goal: Achieved <
    "#]],
    );
}

#[test]
fn as_webvtt() {
    check(
        Format::Vtt,
        expect![[r#"
        WEBVTT - Quick Apology

        NOTE These times are estimated from the length of what is said. A recording has captions of its own.

        1
        00:00:00.000 --> 00:00:02.590
        <v Bob>I know I'm late, but the traffic—</v>

        2
        00:00:02.590 --> 00:00:03.390
        <v Alice>Don't.</v>

        3
        00:00:03.790 --> 00:00:05.290
        <v Charlie><i>(looks at the floor)</i></v>

        4
        00:00:05.690 --> 00:00:07.190
        <i>[The kettle whistles]</i>

        5
        00:00:07.590 --> 00:00:09.090
        <v Bob><i>(puts down the keys)</i></v>

        6
        00:00:09.490 --> 00:00:10.970
        <v Alice>*Fine.* It's &lt;okay&gt; &amp; done_</v>
    "#]],
    );
}

#[test]
fn formats_are_read_by_name() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert_eq!(format.to_string().to_uppercase().parse(), Ok(format));
    }
    expect!["'pdf' is not an export format: use txt, md, json, fountain, vtt or metadata"]
        .assert_eq(&"pdf".parse::<Format>().expect_err("no such format").to_string());
}

#[test]
fn fountain_escapes_what_would_be_another_element() {
    let mut facts = Facts::of("quick");
    facts.setup.cast[0].display = "Int. Alice".to_owned();
    facts.setup.cast[1].display = "Мария".to_owned();
    facts.setup.config.setting = Some("...int. café [[noted]]".to_owned());
    let facts = facts
        .beat()
        .reply("alice", speak("calm", "# One"))
        .reply("bob", speak("calm) [[x]]", "(Two) /* and */ [[three]]"))
        .event("> CUT TO:");
    expect![[r#"
        Title: Quick
        Credit: played by
        Author: improviser (built-in rules, not a language model)
        Draft date: 2025-10-03
        Notes: Goal: Bob apologizes, Alice accepts

        INT. CAFÉ [ [NOTED] ]

        @INT. ALICE
        (calm)
        \# One

        @МАРИЯ
        (calm [ [x] ])
        \(Two) /\* and \*/ [ [three] ]

        !> CUT TO:

        > SCENE UNFINISHED - This run has no end yet <
    "#]]
    .assert_eq(&Format::Fountain.render(&facts.story().document()));
}

#[test]
fn markdown_keeps_markup_as_words() {
    let facts = Facts::of("quick").beat().reply("alice", speak("calm", "[a](http://x) <b> `c` **d** # e \\"));
    let text = Format::Md.render(&facts.story().document());
    assert!(text.contains(r"**Alice** (calm): \[a\](http://x) \<b\> \`c\` \*\*d\*\* \# e \\"), "{text}");
}
