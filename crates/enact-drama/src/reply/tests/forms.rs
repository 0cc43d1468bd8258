//! The format as it should be sent, and in other cases, orders and punctuation.

use expect_test::expect;

use super::check;
use crate::reply::parse;

/// The examples of the requirements: its format specification, its Appendix B and the lines of its
/// transcript.
const CLEAN: [&str; 20] = [
    r#"[TO: Bob, TONE: frustrated] "I can't believe you would miss such an important deadline!""#,
    r#"[TONE: nervous] "Maybe we should all take a moment to calm down.""#,
    r#"[TO: Alice, TONE: apologetic, *looks down at hands*] "You're right. I messed up.""#,
    r#"[INTERRUPT after "I want to", TONE: angry] "No! You don't get to make excuses!""#,
    r#"[SILENT, *shifts uncomfortably in chair*]"#,
    r#"[REACT, TONE: shocked, *drops coffee mug*]"#,
    r#"[TO: Bob, TONE: angry] "Why?""#,
    r#"[TONE: nervous] "Um, maybe...""#,
    r#"[TO: Alice, TONE: sad, *looks down*] "Sorry.""#,
    r#"[INTERRUPT after "I think", TONE: angry] "No!""#,
    r#"[SILENT]"#,
    r#"[SILENT, *crosses arms*]"#,
    r#"[REACT, TONE: shocked, *gasps*]"#,
    r#"[TONE: defensive, *leans back in chair*] "Look, I can explain what happened—""#,
    r#"[INTERRUPT after "explain", TONE: furious] "I don't want excuses! We lost the client!""#,
    r#"[TO: Bob, TONE: stern but controlled] "Fine. Tell me what happened.""#,
    "[TO: Alice, TONE: remorseful, *makes eye contact*] \"I underestimated the complexity.\nI should have asked for help earlier.\"",
    r#"[INTERRUPT after "I don't, really", TONE: calm] "You do.""#,
    r#"[TO: Bob and Charlie, TONE: warm] "He said "no" to both of you.""#,
    "  [TONE: happy]\n\"Yes!\"\n",
];

#[test]
fn clean_forms_are_read_without_a_complaint() {
    check(
        &CLEAN,
        expect![[r#"
        [TO: Bob, TONE: frustrated] "I can't believe you would miss such an important deadline!"
            {"action":"speak","target":"Bob","tone":"frustrated","content":"I can't believe you would miss such an important deadline!"}
        [TONE: nervous] "Maybe we should all take a moment to calm down."
            {"action":"speak","tone":"nervous","content":"Maybe we should all take a moment to calm down."}
        [TO: Alice, TONE: apologetic, *looks down at hands*] "You're right. I messed up."
            {"action":"speak","target":"Alice","tone":"apologetic","content":"You're right. I messed up.","nonverbal":"looks down at hands"}
        [INTERRUPT after "I want to", TONE: angry] "No! You don't get to make excuses!"
            {"action":"interrupt","tone":"angry","content":"No! You don't get to make excuses!","interruptAfter":"I want to"}
        [SILENT, *shifts uncomfortably in chair*]
            {"action":"silent","tone":"neutral","nonverbal":"shifts uncomfortably in chair"}
        [REACT, TONE: shocked, *drops coffee mug*]
            {"action":"react","tone":"shocked","nonverbal":"drops coffee mug"}
        [TO: Bob, TONE: angry] "Why?"
            {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
        [TONE: nervous] "Um, maybe..."
            {"action":"speak","tone":"nervous","content":"Um, maybe..."}
        [TO: Alice, TONE: sad, *looks down*] "Sorry."
            {"action":"speak","target":"Alice","tone":"sad","content":"Sorry.","nonverbal":"looks down"}
        [INTERRUPT after "I think", TONE: angry] "No!"
            {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I think"}
        [SILENT]
            {"action":"silent","tone":"neutral"}
        [SILENT, *crosses arms*]
            {"action":"silent","tone":"neutral","nonverbal":"crosses arms"}
        [REACT, TONE: shocked, *gasps*]
            {"action":"react","tone":"shocked","nonverbal":"gasps"}
        [TONE: defensive, *leans back in chair*] "Look, I can explain what happened—"
            {"action":"speak","tone":"defensive","content":"Look, I can explain what happened—","nonverbal":"leans back in chair"}
        [INTERRUPT after "explain", TONE: furious] "I don't want excuses! We lost the client!"
            {"action":"interrupt","tone":"furious","content":"I don't want excuses! We lost the client!","interruptAfter":"explain"}
        [TO: Bob, TONE: stern but controlled] "Fine. Tell me what happened."
            {"action":"speak","target":"Bob","tone":"stern but controlled","content":"Fine. Tell me what happened."}
        [TO: Alice, TONE: remorseful, *makes eye contact*] "I underestimated the complexity.\nI should have asked for help earlier."
            {"action":"speak","target":"Alice","tone":"remorseful","content":"I underestimated the complexity. I should have asked for help earlier.","nonverbal":"makes eye contact"}
        [INTERRUPT after "I don't, really", TONE: calm] "You do."
            {"action":"interrupt","tone":"calm","content":"You do.","interruptAfter":"I don't, really"}
        [TO: Bob and Charlie, TONE: warm] "He said "no" to both of you."
            {"action":"speak","target":"Bob and Charlie","tone":"warm","content":"He said \"no\" to both of you."}
          [TONE: happy]\n"Yes!"\n
            {"action":"speak","tone":"happy","content":"Yes!"}
    "#]],
    );
    for raw in CLEAN {
        let reading = parse(raw);
        assert!(reading.warnings.is_empty() && !reading.malformed(), "{raw}: {reading:?}");
    }
}

#[test]
fn json_has_exactly_the_keys_of_the_format() {
    for raw in CLEAN.into_iter().chain(["", "bare"]) {
        let json = serde_json::to_value(parse(raw)).unwrap();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["action", "target", "tone", "content", "interruptAfter", "nonverbal", "warnings"]);
    }
}

#[test]
fn case_order_and_punctuation_do_not_matter() {
    check(
        &[
            r#"[tone: angry, to: Bob] "Why?""#,
            r#"[Tone: Angry; To: Bob] "Why?""#,
            r#"[TONE=angry TO=Bob] "Why?""#,
            r#"[TO Bob, TONE angry] "Why?""#,
            r#"[TO: Bob TONE: angry *stands up*] "Why?""#,
            r#"[*stands up*, TONE: angry, TO: "Bob"] "Why?""#,
            r#"[TO: Bob, Charlie, TONE: stern, but fair] "Listen.""#,
            r#"[TO: Bob | TONE: angry] "Why?""#,
            r#"[**TO:** Bob, **TONE:** angry] "Why?""#,
            r#"[TONE : angry , TO : Bob]"Why?""#,
            r#"[silent]"#,
            r#"[Silent, tone: sad, *nods*]"#,
            r#"[*gasps*, TONE: shocked, React]"#,
            r#"[TONE: angry, interrupt after "I think"] "No!""#,
            r#"[TO: Bob, INTERRUPT, AFTER: "I think", TONE: angry] "No!""#,
            r#"[ACTION: REACT, EMOTION: shocked, NONVERBAL: drops the mug, slowly]"#,
            "[TO: Bob,\n TONE: angry,\n *stands up*]\n\n\"Why?\"",
            r#"[TO: Bob][TONE: angry] "Why?""#,
            "[TO: Bob]\n[*sighs*]\n[TONE: angry]\n\"Why?\"",
        ],
        expect![[r#"
            [tone: angry, to: Bob] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [Tone: Angry; To: Bob] "Why?"
                {"action":"speak","target":"Bob","tone":"Angry","content":"Why?"}
            [TONE=angry TO=Bob] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [TO Bob, TONE angry] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [TO: Bob TONE: angry *stands up*] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","nonverbal":"stands up"}
            [*stands up*, TONE: angry, TO: "Bob"] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","nonverbal":"stands up"}
            [TO: Bob, Charlie, TONE: stern, but fair] "Listen."
                {"action":"speak","target":"Bob, Charlie","tone":"stern, but fair","content":"Listen."}
            [TO: Bob | TONE: angry] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [**TO:** Bob, **TONE:** angry] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [TONE : angry , TO : Bob]"Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [silent]
                {"action":"silent","tone":"neutral"}
            [Silent, tone: sad, *nods*]
                {"action":"silent","tone":"sad","nonverbal":"nods"}
            [*gasps*, TONE: shocked, React]
                {"action":"react","tone":"shocked","nonverbal":"gasps"}
            [TONE: angry, interrupt after "I think"] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I think"}
            [TO: Bob, INTERRUPT, AFTER: "I think", TONE: angry] "No!"
                {"action":"interrupt","target":"Bob","tone":"angry","content":"No!","interruptAfter":"I think"}
            [ACTION: REACT, EMOTION: shocked, NONVERBAL: drops the mug, slowly]
                {"action":"react","tone":"shocked","nonverbal":"drops the mug, slowly"}
            [TO: Bob,\n TONE: angry,\n *stands up*]\n\n"Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","nonverbal":"stands up"}
            [TO: Bob][TONE: angry] "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?"}
            [TO: Bob]\n[*sighs*]\n[TONE: angry]\n"Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","nonverbal":"sighs"}
        "#]],
    );
}

#[test]
fn interruptions_find_their_phrase() {
    check(
        &[
            r#"[INTERRUPT after "I don't", TONE: angry] "Yes you do!""#,
            r#"[INTERRUPT after "I don't, really", TONE: angry] "Yes you do!""#,
            r#"[INTERRUPT after 'I don't, really', TONE: angry] "Yes you do!""#,
            r#"[INTERRUPT after ‘I don’t’, TONE: angry] "Yes you do!""#,
            r#"[INTERRUPT after “I don’t, really”, TONE: angry] “Yes you do!”"#,
            r#"[INTERRUPT after I don't, really, TONE: angry] "Yes you do!""#,
            r#"[INTERRUPT after "he said "no" to", TONE: angry] "Yes you do!""#,
            r#"[INTERRUPT "I want to", TONE: angry] "No!""#,
            r#"[INTERRUPT: "I want to" TONE: angry] "No!""#,
            r#"[INTERRUPT Bob after "I want to", TONE: angry] "No!""#,
            r#"[INTERRUPTS after="I want to" TONE=angry] "No!""#,
            r#"[INTERRUPT, TONE: angry] "No!""#,
            r#"[INTERRUPT after "", TONE: angry] "No!""#,
            r#"[AFTER "I want to", TONE: angry] "No!""#,
            r#"[INTERRUPT after "I want to", TONE: angry]"#,
            r#"[INTERRUPT after "I want to", TONE: angry, *slams the table*]"#,
            r#"[INTERRUPT after "I want to" "No!""#,
            r#"[INTERRUPT after Bob says "I want", TONE: angry] "No!""#,
            r#"[INTERRUPT Bob says "I want", TONE: angry] "No!""#,
            r#"[INTERRUPT after "explain", then "what happened", TONE: cold] "No.""#,
            r#"[INTERRUPT after "explain", "No.", TONE: cold]"#,
            r#"[INTERRUPT after "", INTERRUPT "I want", TONE: angry] "No!""#,
        ],
        expect![[r#"
            [INTERRUPT after "I don't", TONE: angry] "Yes you do!"
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"I don't"}
            [INTERRUPT after "I don't, really", TONE: angry] "Yes you do!"
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"I don't, really"}
            [INTERRUPT after 'I don't, really', TONE: angry] "Yes you do!"
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"I don't, really"}
            [INTERRUPT after ‘I don’t’, TONE: angry] "Yes you do!"
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"I don’t"}
            [INTERRUPT after “I don’t, really”, TONE: angry] “Yes you do!”
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"I don’t, really"}
            [INTERRUPT after I don't, really, TONE: angry] "Yes you do!"
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"I don't, really"}
            [INTERRUPT after "he said "no" to", TONE: angry] "Yes you do!"
                {"action":"interrupt","tone":"angry","content":"Yes you do!","interruptAfter":"he said \"no\" to"}
            [INTERRUPT "I want to", TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I want to"}
            [INTERRUPT: "I want to" TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I want to"}
            [INTERRUPT Bob after "I want to", TONE: angry] "No!"
                {"action":"interrupt","target":"Bob","tone":"angry","content":"No!","interruptAfter":"I want to"}
            [INTERRUPTS after="I want to" TONE=angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I want to"}
            [INTERRUPT, TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","warnings":["INTERRUPT without a phrase: where it cuts in is unknown"]}
            [INTERRUPT after "", TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","warnings":["INTERRUPT without a phrase: where it cuts in is unknown"]}
            [AFTER "I want to", TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I want to","warnings":["AFTER without INTERRUPT: read as an interruption"]}
            [INTERRUPT after "I want to", TONE: angry]
                {"action":"silent","tone":"angry","warnings":["nothing is said: read as silent"]}
            [INTERRUPT after "I want to", TONE: angry, *slams the table*]
                {"action":"react","tone":"angry","nonverbal":"slams the table","warnings":["nothing is said: read as a reaction"]}
            [INTERRUPT after "I want to" "No!"
                {"action":"interrupt","tone":"neutral","content":"No!","interruptAfter":"I want to","warnings":["closing bracket missing","no TONE given: read as neutral"]}
            [INTERRUPT after Bob says "I want", TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I want"}
            [INTERRUPT Bob says "I want", TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","interruptAfter":"I want"}
            [INTERRUPT after "explain", then "what happened", TONE: cold] "No."
                {"action":"interrupt","tone":"cold","content":"No.","interruptAfter":"explain"}
            [INTERRUPT after "explain", "No.", TONE: cold]
                {"action":"interrupt","tone":"cold","content":"No.","interruptAfter":"explain","warnings":["words inside the bracket: read as spoken"]}
            [INTERRUPT after "", INTERRUPT "I want", TONE: angry] "No!"
                {"action":"interrupt","tone":"angry","content":"No!","warnings":["an attribute given twice: the first one is read","INTERRUPT without a phrase: where it cuts in is unknown"]}
        "#]],
    );
}

#[test]
fn keywords_count_only_in_the_head() {
    check(
        &[
            r#"[TONE: calm] "Don't INTERRUPT me. Be SILENT. REACT!""#,
            r#"[TONE: calm] "The sign says [SILENT], so hush.""#,
            r#"[TONE: silent fury, *says TONE: nothing, really*] "Go.""#,
            r#"[TO: Bob, TONE: reactive] "Go.""#,
            r#"[silently nods] "Go.""#,
            r#"[after a pause] "Go.""#,
            r#"[SILENT, INTERRUPT after "so", TONE: angry] "Go.""#,
            r#"[REACT, SILENT, *nods*]"#,
            r#"[Silent. *watches*]"#,
            r#"[REMAIN SILENT, *watches*]"#,
            r#"[SILENT because Bob is talking]"#,
            r#"[SILENT, because Bob is talking]"#,
            r#"[SILENT arms crossed]"#,
            r#"[SILENT – glaring at Bob]"#,
            r#"[silent - *watches*]"#,
            r#"[TONE: COLD AND SILENT] "Go.""#,
            r#"[TO: Bob, TONE: calm, (sighs)]"#,
            r#"[TO: Bob, TONE: calm, (sighs, looks away)] "Go.""#,
        ],
        expect![[r#"
            [TONE: calm] "Don't INTERRUPT me. Be SILENT. REACT!"
                {"action":"speak","tone":"calm","content":"Don't INTERRUPT me. Be SILENT. REACT!"}
            [TONE: calm] "The sign says [SILENT], so hush."
                {"action":"speak","tone":"calm","content":"The sign says [SILENT], so hush."}
            [TONE: silent fury, *says TONE: nothing, really*] "Go."
                {"action":"speak","tone":"silent fury","content":"Go.","nonverbal":"says TONE: nothing, really"}
            [TO: Bob, TONE: reactive] "Go."
                {"action":"speak","target":"Bob","tone":"reactive","content":"Go."}
            [silently nods] "Go."
                malformed {"action":"speak","tone":"neutral","content":"Go.","nonverbal":"silently nods","warnings":["action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            [after a pause] "Go."
                malformed {"action":"speak","tone":"neutral","content":"Go.","nonverbal":"after a pause","warnings":["action outside the bracket: read as nonverbal","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            [SILENT, INTERRUPT after "so", TONE: angry] "Go."
                {"action":"interrupt","tone":"angry","content":"Go.","interruptAfter":"so"}
            [REACT, SILENT, *nods*]
                {"action":"silent","tone":"neutral","nonverbal":"nods"}
            [Silent. *watches*]
                {"action":"silent","tone":"neutral","nonverbal":"watches"}
            [REMAIN SILENT, *watches*]
                {"action":"silent","tone":"neutral","nonverbal":"watches"}
            [SILENT because Bob is talking]
                {"action":"silent","tone":"neutral"}
            [SILENT, because Bob is talking]
                {"action":"silent","tone":"neutral"}
            [SILENT arms crossed]
                {"action":"silent","tone":"neutral","nonverbal":"arms crossed"}
            [SILENT – glaring at Bob]
                {"action":"silent","tone":"neutral","nonverbal":"glaring at Bob"}
            [silent - *watches*]
                {"action":"silent","tone":"neutral","nonverbal":"watches"}
            [TONE: COLD AND SILENT] "Go."
                {"action":"speak","tone":"COLD AND SILENT","content":"Go."}
            [TO: Bob, TONE: calm, (sighs)]
                {"action":"react","target":"Bob","tone":"calm","nonverbal":"sighs","warnings":["nothing is said: read as a reaction"]}
            [TO: Bob, TONE: calm, (sighs, looks away)] "Go."
                {"action":"speak","target":"Bob","tone":"calm","content":"Go.","nonverbal":"sighs, looks away"}
        "#]],
    );
}

#[test]
fn what_is_missing_is_filled_in_and_said() {
    check(
        &[
            "",
            " \n\t ",
            "[]",
            "[TO: Bob] \"Why?\"",
            "[TONE: ] \"Why?\"",
            "[TONE: angry]",
            "[TONE: angry] \"\"",
            "[TONE: angry, *leaves*]",
            "[*leaves*]",
            "[*leaves*] \"Bye.\"",
            "[REACT]",
            "[REACT, *gasps*]",
            "[REACT, TONE: shocked] *gasps*",
            "[REACT, TONE: shocked] drops the mug",
            "[REACT, TONE: shocked, *gasps*] \"What?\"",
            "[REACT shocked, gasps loudly]",
            "[SILENT] *crosses arms*",
            "[SILENT] \"I say nothing.\"",
            "SILENT",
            "TO: Bob, TONE: angry \"Why?\"",
            "(TO: Bob, TONE: angry) \"Why?\"",
        ],
        expect![[r#"

                malformed {"action":"silent","tone":"neutral","warnings":["nothing in the answer: read as silent"]}
             \n\t 
                malformed {"action":"silent","tone":"neutral","warnings":["nothing in the answer: read as silent"]}
            []
                malformed {"action":"silent","tone":"neutral","warnings":["nothing in the answer: read as silent"]}
            [TO: Bob] "Why?"
                {"action":"speak","target":"Bob","tone":"neutral","content":"Why?","warnings":["no TONE given: read as neutral"]}
            [TONE: ] "Why?"
                {"action":"speak","tone":"neutral","content":"Why?","warnings":["no TONE given: read as neutral"]}
            [TONE: angry]
                {"action":"silent","tone":"angry","warnings":["nothing is said: read as silent"]}
            [TONE: angry] ""
                {"action":"silent","tone":"angry","warnings":["nothing is said: read as silent"]}
            [TONE: angry, *leaves*]
                {"action":"react","tone":"angry","nonverbal":"leaves","warnings":["nothing is said: read as a reaction"]}
            [*leaves*]
                {"action":"react","tone":"neutral","nonverbal":"leaves","warnings":["nothing is said: read as a reaction","no TONE given: read as neutral"]}
            [*leaves*] "Bye."
                {"action":"speak","tone":"neutral","content":"Bye.","nonverbal":"leaves","warnings":["no TONE given: read as neutral"]}
            [REACT]
                {"action":"react","tone":"neutral","warnings":["REACT without an action","no TONE given: read as neutral"]}
            [REACT, *gasps*]
                {"action":"react","tone":"neutral","nonverbal":"gasps","warnings":["no TONE given: read as neutral"]}
            [REACT, TONE: shocked] *gasps*
                {"action":"react","tone":"shocked","nonverbal":"gasps","warnings":["action outside the bracket: read as nonverbal"]}
            [REACT, TONE: shocked] drops the mug
                {"action":"react","tone":"shocked","nonverbal":"drops the mug","warnings":["text after REACT: read as nonverbal"]}
            [REACT, TONE: shocked, *gasps*] "What?"
                {"action":"speak","tone":"shocked","content":"What?","nonverbal":"gasps","warnings":["REACT with words in quotes: read as speech"]}
            [REACT shocked, gasps loudly]
                {"action":"react","tone":"shocked","nonverbal":"gasps loudly"}
            [SILENT] *crosses arms*
                {"action":"silent","tone":"neutral","nonverbal":"crosses arms","warnings":["action outside the bracket: read as nonverbal"]}
            [SILENT] "I say nothing."
                {"action":"silent","tone":"neutral","warnings":["words after SILENT: left out"]}
            SILENT
                {"action":"silent","tone":"neutral","warnings":["no square brackets around the keywords"]}
            TO: Bob, TONE: angry "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","warnings":["no square brackets around the keywords"]}
            (TO: Bob, TONE: angry) "Why?"
                {"action":"speak","target":"Bob","tone":"angry","content":"Why?","warnings":["no square brackets around the keywords"]}
        "#]],
    );
}

/// Logs leave out answers that were written like this: see [`Reply::written`].
#[test]
fn a_reply_is_written_in_its_format() {
    for raw in [
        r#"[TONE: neutral] "Hello.""#,
        r#"[TO: Bob, TONE: angry, *stands up*] "Why?""#,
        r#"[INTERRUPT after "I think", TONE: sharp] "No!""#,
        r#"[INTERRUPT after "I think", TO: Bob, TONE: sharp, *slams the door*] "No!""#,
        r#"[INTERRUPT, TONE: sharp] "No!""#,
        "[REACT, TONE: shocked, *gasps*]",
        "[SILENT]",
        "[SILENT, *waits*]",
    ] {
        let reply = parse(raw).reply;
        assert_eq!(reply.written(), raw);
        assert!(reply.is_written_as(raw));
        for other in [&raw[1..], &raw[..raw.len() - 1], &format!("{raw} "), ""] {
            assert!(!reply.is_written_as(other), "{other}");
        }
    }
}
