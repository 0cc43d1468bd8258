//! Other scripts and other quotation marks.

use expect_test::expect;

use super::check;

#[test]
fn scripts_and_quotes_of_the_world() {
    check(
        &[
            "[TO: Élodie, TONE: fâchée] « Ça suffit ! »",
            "[TONE: wütend] „Ich sagte „nein“, Bob!“",
            "[TONE: wütend] »Genug!«",
            "[TONE: arg] ”Nog nu!”",
            "[TO: 田中, TONE: 怒り] 「もう『いい』よ！」",
            "【TO：田中、TONE：怒り、*立ち上がる*】「もういい！」",
            "［SILENT，*点头*］",
            "李雷：「你好」",
            "[TO: بوب, TONE: غاضب] \"لماذا فعلت ذلك؟\"",
            "[TONE: כועס] “למה?”",
            "[TONE: joyful] \"👩‍👩‍👧 Yes! 🎉\"",
            "[TONE: 😡] \"No!\"",
            "[INTERRUPT after 「でも」, TONE: 怒り] 「黙れ！」",
        ],
        expect![[r#"
            [TO: Élodie, TONE: fâchée] « Ça suffit ! »
                {"action":"speak","target":"Élodie","tone":"fâchée","content":"Ça suffit !"}
            [TONE: wütend] „Ich sagte „nein“, Bob!“
                {"action":"speak","tone":"wütend","content":"Ich sagte „nein“, Bob!"}
            [TONE: wütend] »Genug!«
                {"action":"speak","tone":"wütend","content":"Genug!"}
            [TONE: arg] ”Nog nu!”
                {"action":"speak","tone":"arg","content":"Nog nu!"}
            [TO: 田中, TONE: 怒り] 「もう『いい』よ！」
                {"action":"speak","target":"田中","tone":"怒り","content":"もう『いい』よ！"}
            【TO：田中、TONE：怒り、*立ち上がる*】「もういい！」
                {"action":"speak","target":"田中","tone":"怒り","content":"もういい！","nonverbal":"立ち上がる"}
            ［SILENT，*点头*］
                {"action":"silent","tone":"neutral","nonverbal":"点头"}
            李雷：「你好」
                malformed {"action":"speak","tone":"neutral","content":"你好","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            [TO: بوب, TONE: غاضب] "لماذا فعلت ذلك؟"
                {"action":"speak","target":"بوب","tone":"غاضب","content":"لماذا فعلت ذلك؟"}
            [TONE: כועס] “למה?”
                {"action":"speak","tone":"כועס","content":"למה?"}
            [TONE: joyful] "👩\u{200d}👩\u{200d}👧 Yes! 🎉"
                {"action":"speak","tone":"joyful","content":"👩‍👩‍👧 Yes! 🎉"}
            [TONE: 😡] "No!"
                {"action":"speak","tone":"😡","content":"No!"}
            [INTERRUPT after 「でも」, TONE: 怒り] 「黙れ！」
                {"action":"interrupt","tone":"怒り","content":"黙れ！","interruptAfter":"でも"}
        "#]],
    );
}
