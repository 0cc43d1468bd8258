//! What models really send.

use expect_test::expect;

use super::check;

#[test]
fn wrappings_are_taken_off() {
    check(
        &[
            "```\n[TONE: sad] \"Hi.\"\n```",
            "```text\n[TONE: sad] \"Hi.\"\n```\n",
            "```[TONE: sad] \"Hi.\"```",
            "`[TONE: sad] \"Hi.\"`",
            "> [TONE: sad] \"Hi.\"",
            "**[TONE: sad]** \"Hi.\"",
            "[TONE: sad]: \"Hi.\"",
            "[[TONE: sad]] \"Hi.\"",
            "[TO: Bob, TONE: angry], \"Why?\"",
            "[TO: Bob, TONE: angry], why?",
            "<response>[TONE: calm] \"Fine.\"</response>",
            "[TONE: calm] \"Fine.\"<|im_end|>\n<|im_start|>user\nGo on.",
            "[TONE: calm] \"Fine.\"</s>",
            "[TONE: calm] \"I <3 you, a < b.\"",
            "[TONE: calm] \\\"Fine.\\\"",
            "[TONE: calm] \"He said \\\"no\\\" to me.\"",
            "<think>Alice would [SILENT] be sad.</think>\n[TONE: sad] \"Hi.\"",
            "Alice: [TONE: sad] \"Hi.\"",
            "**Alice:** [TONE: sad] \"Hi.\"",
            "**Alice**: [TONE: sad] \"Hi.\"",
            "*Alice*: [TONE: sad] \"Hi.\"",
            "Alice [TONE: sad] \"Hi.\"",
            "[TONE: sad] Alice: \"Hi.\"",
            "[Alice, TONE: sad] \"Hi.\"",
            "Sure! Here's Alice's reply:\n\n[TONE: sad] \"Hi.\"",
            "Sure! Here's Alice's reply: [TONE: sad] \"Hi.\"",
            "Alice: \"Hi.\"",
            "**Alice:** I am sorry.",
            "**Alice** (calm): Fine.",
            "Alice (sighs): \"Fine.\"",
            "ALICE\n(angry)\nWhy would you do that?",
            "ALICE (angry)\nWhy would you do that?",
            "STOP\nPlease.",
            "Alice: (calm) Fine.",
            "ALICE:\n(sighs)\nFine.",
            "Alice: (You know me.) Fine.",
            "*Alice*: *sighs* \"Hi.\"",
            "Here is my response:\n\"Hi.\"",
        ],
        expect![[r#"
            ```\n[TONE: sad] "Hi."\n```
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["code fence: removed"]}
            ```text\n[TONE: sad] "Hi."\n```\n
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["code fence: removed"]}
            ```[TONE: sad] "Hi."```
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["code fence: removed"]}
            `[TONE: sad] "Hi."`
                {"action":"speak","tone":"sad","content":"Hi."}
            > [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi."}
            **[TONE: sad]** "Hi."
                {"action":"speak","tone":"sad","content":"Hi."}
            [TONE: sad]: "Hi."
                {"action":"speak","tone":"sad","content":"Hi."}
            [[TONE: sad]] "Hi."
                {"action":"speak","tone":"sad","content":"Hi."}
            [TO: Bob, TONE: angry], "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [TO: Bob, TONE: angry], why?
                {"action":"speak","target":"Bob","tone":"angry","content":"why?","warnings":["no quotes around what is said"]}
            <response>[TONE: calm] "Fine."</response>
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["tags around the reply: removed"]}
            [TONE: calm] "Fine."<|im_end|>\n<|im_start|>user\nGo on.
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["tags around the reply: removed"]}
            [TONE: calm] "Fine."</s>
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["tags around the reply: removed"]}
            [TONE: calm] "I <3 you, a < b."
                {"action":"speak","tone":"calm","content":"I <3 you, a < b."}
            [TONE: calm] \\"Fine.\\"
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["backslashes before quotes: removed"]}
            [TONE: calm] "He said \\"no\\" to me."
                {"action":"speak","tone":"calm","content":"He said \"no\" to me.","warnings":["backslashes before quotes: removed"]}
            <think>Alice would [SILENT] be sad.</think>\n[TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["reasoning before the reply: left out"]}
            Alice: [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["a name before the bracket: left out"]}
            **Alice:** [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["a name before the bracket: left out"]}
            **Alice**: [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["a name before the bracket: left out"]}
            *Alice*: [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["a name before the bracket: left out"]}
            Alice [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["a name before the bracket: left out"]}
            [TONE: sad] Alice: "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["a name before what is said: left out"]}
            [Alice, TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi."}
            Sure! Here's Alice's reply:\n\n[TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["text before the bracket: left out"]}
            Sure! Here's Alice's reply: [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["text before the bracket: left out"]}
            Alice: "Hi."
                malformed {"action":"speak","tone":"neutral","content":"Hi.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            **Alice:** I am sorry.
                malformed {"action":"speak","tone":"neutral","content":"I am sorry.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            **Alice** (calm): Fine.
                malformed {"action":"speak","tone":"calm","content":"Fine.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech"]}
            Alice (sighs): "Fine."
                malformed {"action":"speak","tone":"neutral","content":"Fine.","nonverbal":"sighs","warnings":["a name before what is said: left out","action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            ALICE\n(angry)\nWhy would you do that?
                malformed {"action":"speak","tone":"angry","content":"Why would you do that?","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech"]}
            ALICE (angry)\nWhy would you do that?
                malformed {"action":"speak","tone":"angry","content":"Why would you do that?","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech"]}
            STOP\nPlease.
                malformed {"action":"speak","tone":"neutral","content":"STOP Please.","warnings":["no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Alice: (calm) Fine.
                malformed {"action":"speak","tone":"calm","content":"Fine.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech"]}
            ALICE:\n(sighs)\nFine.
                malformed {"action":"speak","tone":"neutral","content":"Fine.","nonverbal":"sighs","warnings":["a name before what is said: left out","action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Alice: (You know me.) Fine.
                malformed {"action":"speak","tone":"neutral","content":"(You know me.) Fine.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            *Alice*: *sighs* "Hi."
                malformed {"action":"speak","tone":"neutral","content":"Hi.","nonverbal":"sighs","warnings":["a name before what is said: left out","action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Here is my response:\n"Hi."
                malformed {"action":"speak","tone":"neutral","content":"Hi.","warnings":["text before the reply: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
        "#]],
    );
}

#[test]
fn quotes_nest_and_go_missing() {
    check(
        &[
            r#"[TONE: sad] “He said ‘no’ and left.”"#,
            r#"[TONE: sad] “He said “no” and left.”"#,
            r#"[TONE: sad] "He said 'no' and left.""#,
            r#"[TONE: sad] "He said "no" and left.""#,
            r#"[TONE: sad] "He said "no and left.""#,
            r#"[TONE: sad] "The 5'10" man left.""#,
            r#"[TONE: sad] "I was born in '85" "And you?""#,
            r#"[TONE: sad] 'I don't know.'"#,
            r#"[TONE: sad] 'Tis the season."#,
            r#"[TONE: sad] ""Hi.""#,
            r#"[TONE: sad] ""Hi there.""#,
            r#"[TONE: sad] "Hi there."#,
            r#"[TONE: sad] Hi there."#,
            r#"[TONE: sad] Hi there.""#,
            r#"[TONE: sad] You said "fine" and left, "just like that"."#,
            r#"[TONE: sad] I told you, "no.""#,
            r#"[TONE: sad, *whispers "no, never" to Bob*] "Hi.""#,
            r#"[TONE: sad] *mouths "no" at Bob* "Hi.""#,
            "[TONE: sad] “Hi.\"",
        ],
        expect![[r#"
            [TONE: sad] “He said ‘no’ and left.”
                {"action":"speak","tone":"sad","content":"He said ‘no’ and left."}
            [TONE: sad] “He said “no” and left.”
                {"action":"speak","tone":"sad","content":"He said “no” and left."}
            [TONE: sad] "He said 'no' and left."
                {"action":"speak","tone":"sad","content":"He said 'no' and left."}
            [TONE: sad] "He said "no" and left."
                {"action":"speak","tone":"sad","content":"He said \"no\" and left."}
            [TONE: sad] "He said "no and left."
                {"action":"speak","tone":"sad","content":"He said \"no and left.\"","warnings":["closing quote missing"]}
            [TONE: sad] "The 5'10" man left."
                {"action":"speak","tone":"sad","content":"The 5'10\" man left."}
            [TONE: sad] "I was born in '85" "And you?"
                {"action":"speak","tone":"sad","content":"I was born in '85 And you?"}
            [TONE: sad] 'I don't know.'
                {"action":"speak","tone":"sad","content":"I don't know."}
            [TONE: sad] 'Tis the season.
                {"action":"speak","tone":"sad","content":"'Tis the season.","warnings":["no quotes around what is said"]}
            [TONE: sad] ""Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["closing quote missing"]}
            [TONE: sad] ""Hi there."
                {"action":"speak","tone":"sad","content":"Hi there.","warnings":["closing quote missing"]}
            [TONE: sad] "Hi there.
                {"action":"speak","tone":"sad","content":"Hi there.","warnings":["closing quote missing"]}
            [TONE: sad] Hi there.
                {"action":"speak","tone":"sad","content":"Hi there.","warnings":["no quotes around what is said"]}
            [TONE: sad] Hi there."
                {"action":"speak","tone":"sad","content":"Hi there.","warnings":["closing quote missing","text outside the quotes: read as spoken"]}
            [TONE: sad] You said "fine" and left, "just like that".
                {"action":"speak","tone":"sad","content":"You said \"fine\" and left, \"just like that\".","warnings":["no quotes around what is said"]}
            [TONE: sad] I told you, "no."
                {"action":"speak","tone":"sad","content":"I told you, \"no.\"","warnings":["no quotes around what is said"]}
            [TONE: sad, *whispers "no, never" to Bob*] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"whispers \"no, never\" to Bob"}
            [TONE: sad] *mouths "no" at Bob* "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"mouths \"no\" at Bob","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad] “Hi."
                {"action":"speak","tone":"sad","content":"Hi."}
        "#]],
    );
}

#[test]
fn actions_stand_anywhere() {
    check(
        &[
            r#"[TONE: sad] *sighs* "Hi.""#,
            r#"[TONE: sad] "Hi." *looks away*"#,
            r#"[TONE: sad] *sighs* "Hi." *looks away* "Bye.""#,
            r#"*sighs* [TONE: sad] "Hi.""#,
            r#"[TONE: sad, sighs heavily] "Hi.""#,
            r#"[TONE: sad, *sighs] "Hi.""#,
            r#"[TONE: sad] *sighs "Hi.""#,
            r#"[TONE: sad] (sighs) "Hi.""#,
            r#"[TONE: sad] [sighs] "Hi.""#,
            r#"[TONE: sad] *sighs* I don't know."#,
            r#"[TONE: sad] I *really* don't know."#,
            r#"[TONE: sad] "I *really* don't know.""#,
            r#"[TONE: sad] **"Hi."**"#,
            r#"[TONE: calm] *"Fine."* *shrugs*"#,
            r#"**[TO: Bob, TONE: angry]** *"Why?"*"#,
            r#"[TONE: calm] You said *"fine"* and left."#,
            r#"[TONE: calm] *"No," he mouths, "never"* "Fine.""#,
            r#"*shrugs*"#,
            r#"*shrugs* Whatever."#,
            r#""Hi." [TONE: sad]"#,
            "Alice is sad.\n* She is *not* angry.\n* She waits.\n\n*sighs*\n[TONE: sad] \"Hi.\"",
            "[TONE: sad] Two things:\n* You lied.\n* You left.",
            r#"*Sighs* [TONE: sad] "Hi.""#,
            r#"[SILENT, *"nods*, *waves"*]"#,
        ],
        expect![[r#"
            [TONE: sad] *sighs* "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad] "Hi." *looks away*
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"looks away","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad] *sighs* "Hi." *looks away* "Bye."
                {"action":"speak","tone":"sad","content":"Hi. Bye.","nonverbal":"sighs, looks away","warnings":["action outside the bracket: read as nonverbal"]}
            *sighs* [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad, sighs heavily] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs heavily"}
            [TONE: sad, *sighs] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs"}
            [TONE: sad] *sighs "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad] (sighs) "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad] [sighs] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: sad] *sighs* I don't know.
                {"action":"speak","tone":"sad","content":"I don't know.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal","no quotes around what is said"]}
            [TONE: sad] I *really* don't know.
                {"action":"speak","tone":"sad","content":"I really don't know.","warnings":["no quotes around what is said"]}
            [TONE: sad] "I *really* don't know."
                {"action":"speak","tone":"sad","content":"I *really* don't know."}
            [TONE: sad] **"Hi."**
                {"action":"speak","tone":"sad","content":"Hi."}
            [TONE: calm] *"Fine."* *shrugs*
                {"action":"speak","tone":"calm","content":"Fine.","nonverbal":"shrugs","warnings":["action outside the bracket: read as nonverbal"]}
            **[TO: Bob, TONE: angry]** *"Why?"*
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [TONE: calm] You said *"fine"* and left.
                {"action":"speak","tone":"calm","content":"You said \"fine\" and left.","warnings":["no quotes around what is said"]}
            [TONE: calm] *"No," he mouths, "never"* "Fine."
                {"action":"speak","tone":"calm","content":"Fine.","nonverbal":"\"No,\" he mouths, \"never\"","warnings":["action outside the bracket: read as nonverbal"]}
            *shrugs*
                malformed {"action":"react","tone":"neutral","nonverbal":"shrugs","warnings":["action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","nothing is said: read as a reaction","no TONE given: read as neutral"]}
            *shrugs* Whatever.
                malformed {"action":"speak","tone":"neutral","content":"Whatever.","nonverbal":"shrugs","warnings":["action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            "Hi." [TONE: sad]
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["words before the bracket: read as spoken"]}
            Alice is sad.\n* She is *not* angry.\n* She waits.\n\n*sighs*\n[TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal","text before the bracket: left out"]}
            [TONE: sad] Two things:\n* You lied.\n* You left.
                {"action":"speak","tone":"sad","content":"Two things: You lied. You left.","warnings":["no quotes around what is said"]}
            *Sighs* [TONE: sad] "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"Sighs","warnings":["action outside the bracket: read as nonverbal"]}
            [SILENT, *"nods*, *waves"*]
                {"action":"silent","tone":"neutral","nonverbal":"nods, waves"}
        "#]],
    );
}

#[test]
fn brackets_go_missing() {
    check(
        &[
            r#"[TONE: sad "Hi there.""#,
            r#"[TO: Bob, TONE: sad, *sighs* "Hi there." *waves*"#,
            "[TO: Bob, TONE: sad\n\"Hi there.\"",
            r#"[TONE: sad I am so very sorry, Bob."#,
            r#"[TO: Bob, TONE: sad, "Hi there."]"#,
            r#"[SILENT"#,
            r#"[REACT, TONE: shocked, *gasps*"#,
            r#"TONE: sad] "Hi there.""#,
            "TO: Bob\nTONE: angry\n\"Why?\"",
            "**TO:** Bob\n**TONE:** angry\n\n\"Why?\"",
            "To: Bob\nTone: angry\n\"Why?\"",
            "SILENT\n*watches*",
            "[TO: Bob, \"Hi.\" *waves*, TONE: sad]",
            r#"[TONE: sad, [sighs]] "Hi there.""#,
        ],
        expect![[r#"
            [TONE: sad "Hi there."
                {"action":"speak","tone":"sad","content":"Hi there.","warnings":["closing bracket missing"]}
            [TO: Bob, TONE: sad, *sighs* "Hi there." *waves*
                {"action":"speak","target":"Bob","tone":"sad","content":"Hi there.","nonverbal":"sighs, waves","warnings":["closing bracket missing","action outside the bracket: read as nonverbal"]}
            [TO: Bob, TONE: sad\n"Hi there."
                {"action":"speak","target":"Bob","tone":"sad","content":"Hi there.","warnings":["closing bracket missing"]}
            [TONE: sad I am so very sorry, Bob.
                {"action":"speak","tone":"sad","content":"I am so very sorry, Bob.","warnings":["closing bracket missing","no quotes around what is said"]}
            [TO: Bob, TONE: sad, "Hi there."]
                {"action":"speak","target":"Bob","tone":"sad","content":"Hi there.","warnings":["words inside the bracket: read as spoken"]}
            [SILENT
                {"action":"silent","tone":"neutral","warnings":["closing bracket missing"]}
            [REACT, TONE: shocked, *gasps*
                {"action":"react","tone":"shocked","nonverbal":"gasps","warnings":["closing bracket missing"]}
            TONE: sad] "Hi there."
                {"action":"speak","tone":"sad","content":"Hi there.","warnings":["no square brackets around the keywords"]}
            TO: Bob\nTONE: angry\n"Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","warnings":["no square brackets around the keywords"]}
            **TO:** Bob\n**TONE:** angry\n\n"Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","warnings":["no square brackets around the keywords"]}
            To: Bob\nTone: angry\n"Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","warnings":["no square brackets around the keywords"]}
            SILENT\n*watches*
                {"action":"silent","tone":"neutral","nonverbal":"watches","warnings":["no square brackets around the keywords","action outside the bracket: read as nonverbal"]}
            [TO: Bob, "Hi." *waves*, TONE: sad]
                {"action":"speak","target":"Bob","tone":"sad","content":"Hi.","nonverbal":"waves","warnings":["words inside the bracket: read as spoken"]}
            [TONE: sad, [sighs]] "Hi there."
                {"action":"speak","tone":"sad","content":"Hi there.","nonverbal":"sighs","warnings":["closing bracket missing","action outside the bracket: read as nonverbal"]}
        "#]],
    );
}

#[test]
fn paragraphs_and_text_beside_the_quotes() {
    check(
        &[
            "[TONE: sad] \"First.\n\nSecond.\"",
            "[TONE: sad] \"First.\"\n\n\"Second.\"",
            "[TONE: sad] \"First.\n\n\"Second.\"",
            "[TONE: sad]\n\nFirst.\n\nSecond.",
            "[TONE: sad] \"First.\"\n\nSecond, without quotes.",
            r#"[TONE: sad] "Hi," she said, "how are you?""#,
            r#"[TONE: sad] She said, "Hi.""#,
            r#"[TONE: sad] Alice looks away. "Hi.""#,
            r#"[TONE: sad] "Hi." 😀"#,
        ],
        expect![[r#"
            [TONE: sad] "First.\n\nSecond."
                {"action":"speak","tone":"sad","content":"First. Second."}
            [TONE: sad] "First."\n\n"Second."
                {"action":"speak","tone":"sad","content":"First. Second."}
            [TONE: sad] "First.\n\n"Second."
                {"action":"speak","tone":"sad","content":"First. Second."}
            [TONE: sad]\n\nFirst.\n\nSecond.
                {"action":"speak","tone":"sad","content":"First. Second.","warnings":["no quotes around what is said"]}
            [TONE: sad] "First."\n\nSecond, without quotes.
                {"action":"speak","tone":"sad","content":"First. Second, without quotes.","warnings":["text outside the quotes: read as spoken"]}
            [TONE: sad] "Hi," she said, "how are you?"
                {"action":"speak","tone":"sad","content":"Hi, how are you?","warnings":["text outside the quotes: left out"]}
            [TONE: sad] She said, "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","warnings":["text outside the quotes: left out"]}
            [TONE: sad] Alice looks away. "Hi."
                {"action":"speak","tone":"sad","content":"Hi.","nonverbal":"Alice looks away","warnings":["text outside the quotes: read as nonverbal"]}
            [TONE: sad] "Hi." 😀
                {"action":"speak","tone":"sad","content":"Hi."}
        "#]],
    );
}

#[test]
fn bare_text_is_speech_with_a_guessed_tone() {
    check(
        &[
            "I am so angry with you!",
            "I'm not angry. I'm worried.",
            "This is so FRUSTRATING, Bob.",
            "\"I'm happy,\" she said.",
            "*smiles nervously* Hello.",
            "Hello.",
            "[angry] Hello.",
            "Listen: I never said that.",
        ],
        expect![[r#"
            I am so angry with you!
                malformed {"action":"speak","tone":"angry","content":"I am so angry with you!","warnings":["no keyword in brackets: read as plain speech","no TONE given: guessed from the words"]}
            I'm not angry. I'm worried.
                malformed {"action":"speak","tone":"worried","content":"I'm not angry. I'm worried.","warnings":["no keyword in brackets: read as plain speech","no TONE given: guessed from the words"]}
            This is so FRUSTRATING, Bob.
                malformed {"action":"speak","tone":"frustrated","content":"This is so FRUSTRATING, Bob.","warnings":["no keyword in brackets: read as plain speech","no TONE given: guessed from the words"]}
            "I'm happy," she said.
                malformed {"action":"speak","tone":"happy","content":"I'm happy","warnings":["text outside the quotes: left out","no keyword in brackets: read as plain speech","no TONE given: guessed from the words"]}
            *smiles nervously* Hello.
                malformed {"action":"speak","tone":"nervous","content":"Hello.","nonverbal":"smiles nervously","warnings":["action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: guessed from the words"]}
            Hello.
                malformed {"action":"speak","tone":"neutral","content":"Hello.","warnings":["no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            [angry] Hello.
                malformed {"action":"speak","tone":"angry","content":"Hello.","warnings":["no keyword in brackets: read as plain speech"]}
            Listen: I never said that.
                malformed {"action":"speak","tone":"neutral","content":"Listen: I never said that.","warnings":["no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
        "#]],
    );
}

#[test]
fn json_objects_are_read() {
    check(
        &[
            r#"{"action":"speak","target":"Bob","tone":"sad","content":"Hi.","nonverbal":"*sighs*"}"#,
            "```json\n{\"action\": \"interrupt\", \"interrupt_after\": \"I want\", \"tone\": \"sad\", \"content\": \"No\\n!\"}\n```",
            r#"{"action":"silent"}"#,
            r#"{"action":"speak","content":null}"#,
            r#"{"x": 1}"#,
            r#"{"action":"#,
        ],
        expect![[r#"
            {"action":"speak","target":"Bob","tone":"sad","content":"Hi.","nonverbal":"*sighs*"}
                {"action":"speak","target":"Bob","tone":"sad","content":"Hi.","nonverbal":"sighs","warnings":["a JSON object instead of the reply format"]}
            ```json\n{"action": "interrupt", "interrupt_after": "I want", "tone": "sad", "content": "No\\n!"}\n```
                {"action":"interrupt","tone":"sad","content":"No !","interruptAfter":"I want","warnings":["code fence: removed","a JSON object instead of the reply format"]}
            {"action":"silent"}
                {"action":"silent","tone":"neutral","warnings":["a JSON object instead of the reply format"]}
            {"action":"speak","content":null}
                {"action":"silent","tone":"neutral","warnings":["a JSON object instead of the reply format","nothing is said: read as silent"]}
            {"x": 1}
                malformed {"action":"speak","tone":"neutral","content":"x : 1}","warnings":["text outside the quotes: read as spoken","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            {"action":
                malformed {"action":"speak","tone":"neutral","content":"action","warnings":["no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
        "#]],
    );
}

#[test]
fn chatter_about_the_scene_is_left_out() {
    check(
        &[
            "[TONE: angry] \"Why?\"\n\n---\nWould you like me to continue the scene?",
            "[TONE: angry] Why?\n\n* * *\nWould you like me to continue the scene?",
            "[TONE: angry]\n---\n\"Why?\"",
            "[TONE: calm] \"Fine.\"\n\nOR\n\n[TONE: angry] \"No.\"",
            "[TONE: calm] \"Fine.\"\n\n(Note: Alice is angry because Bob said \"no\".)",
            "[TONE: calm] \"Fine.\" (Note: Alice is angry because of Bob.)",
            "[TONE: calm] \"Fine.\"\n\n*End of scene*",
            "[TONE: calm] \"Fine.\" *End of scene*",
            "[TONE: calm] \"Fine.\"\n\nLet me know if you'd like me to continue!",
            "[TONE: calm] \"Fine.\"\n\nLet me know when you are done.",
            "[TONE: calm] \"Fine.\" *notes the time*",
            "[TONE: calm] Fine.\n\n(Note: Alice is angry.)",
            "[TONE: calm]\n(Note: Alice is angry.)\n\"Fine.\"",
        ],
        expect![[r#"
            [TONE: angry] "Why?"\n\n---\nWould you like me to continue the scene?
                {"action":"speak","tone":"angry","content":"Why?","warnings":["text about the scene: left out"]}
            [TONE: angry] Why?\n\n* * *\nWould you like me to continue the scene?
                {"action":"speak","tone":"angry","content":"Why?","warnings":["text about the scene: left out","no quotes around what is said"]}
            [TONE: angry]\n---\n"Why?"
                {"action":"speak","tone":"angry","content":"Why?"}
            [TONE: calm] "Fine."\n\nOR\n\n[TONE: angry] "No."
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out","more than one reply: only one is read"]}
            [TONE: calm] "Fine."\n\n(Note: Alice is angry because Bob said "no".)
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out"]}
            [TONE: calm] "Fine." (Note: Alice is angry because of Bob.)
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out"]}
            [TONE: calm] "Fine."\n\n*End of scene*
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out"]}
            [TONE: calm] "Fine." *End of scene*
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out"]}
            [TONE: calm] "Fine."\n\nLet me know if you'd like me to continue!
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out"]}
            [TONE: calm] "Fine."\n\nLet me know when you are done.
                {"action":"speak","tone":"calm","content":"Fine. Let me know when you are done.","warnings":["text outside the quotes: read as spoken"]}
            [TONE: calm] "Fine." *notes the time*
                {"action":"speak","tone":"calm","content":"Fine.","nonverbal":"notes the time","warnings":["action outside the bracket: read as nonverbal"]}
            [TONE: calm] Fine.\n\n(Note: Alice is angry.)
                {"action":"speak","tone":"calm","content":"Fine.","warnings":["text about the scene: left out","no quotes around what is said"]}
            [TONE: calm]\n(Note: Alice is angry.)\n"Fine."
                {"action":"speak","tone":"calm","content":"Fine."}
        "#]],
    );
}
