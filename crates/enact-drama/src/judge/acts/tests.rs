use proptest::prelude::*;

use super::*;
use crate::judge::word_lists::entries;

/// Every line does this.
fn does(act: Act, lines: &[&str]) {
    let missed: Vec<_> = lines.iter().filter(|line| !Acts::of(line).has(act)).collect();
    assert!(missed.is_empty(), "{act:?} not seen in {missed:#?}");
}

/// No line does this, though all look a little like it.
fn does_not(act: Act, lines: &[&str]) {
    let mistaken: Vec<_> = lines.iter().filter(|line| Acts::of(line).has(act)).collect();
    assert!(mistaken.is_empty(), "{act:?} wrongly seen in {mistaken:#?}");
}

fn has(sign: Sign, lines: &[&str]) {
    let missed: Vec<_> = lines.iter().filter(|line| !Acts::of(line).shows(sign)).collect();
    assert!(missed.is_empty(), "{sign:?} not seen in {missed:#?}");
}

fn has_not(sign: Sign, lines: &[&str]) {
    let mistaken: Vec<_> = lines.iter().filter(|line| Acts::of(line).shows(sign)).collect();
    assert!(mistaken.is_empty(), "{sign:?} wrongly seen in {mistaken:#?}");
}

#[test]
fn apologies() {
    does(
        Act::Apologise,
        &[
            "I'm truly sorry.",
            "I’m so sorry I’m late…",
            "I underestimated the complexity.\nI should have asked for help earlier. I'm genuinely sorry.",
            "Sorry.",
            "Sorry I'm late.",
            "So sorry, Alice. I lost track of time.",
            "I apologize for being late.",
            "I sincerely apologise.",
            "I want to apologize.",
            "I'd like to apologize for what I said.",
            "I owe you an apology.",
            "I just want to say I'm sorry.",
            "All I can say is that I am sorry.",
            "I said I'm sorry!",
            "You're right, and I'm sorry.",
            "I'm sorry, can we start over?",
            "I can't tell you how sorry I am.",
            "I can't apologize enough.",
            "Alice, please forgive me.",
            "My sincere apologies.",
            "I regret what I did.",
            "I don't know what to say, I'm sorry.",
            "*looks down* I'm *so* sorry.",
            "\"I'm sorry.\"",
            "I'm sorry if I hurt you.",
            "Look, I am really, really sorry about the deadline.",
            "I was wrong and I am sorry",
            "I'm not making excuses. I'm sorry.",
            "im sorry",
            "I'm not sorry... no, that's a lie. I am sorry.",
            "Sorry to have kept you waiting.",
            "I couldn't be more sorry.",
            "You have my sincerest apologies.",
            "I take it back, I'm sorry.",
        ],
    );
}

#[test]
fn what_only_sounds_like_an_apology() {
    does_not(
        Act::Apologise,
        &[
            "I'm not sorry.",
            "I am really not sorry.",
            "I won't apologize.",
            "I will never apologize to you.",
            "I'm sorry you feel that way.",
            "I'm sorry that you are upset.",
            "Sorry, but it wasn't my fault.",
            "I'm sorry, but I had a good reason.",
            "Are you sorry?",
            "Should I apologize?",
            "Why should I apologize?",
            "You should say 'I'm sorry'.",
            "You could at least say “I'm sorry”.",
            "You want me to say I'm sorry?",
            "You want me to say I'm sorry.",
            "He said he was sorry.",
            "Bob said I'm sorry and left.",
            "You owe me an apology.",
            "Bob is sorry.",
            "You'll be sorry.",
            "I'd apologize, but you'd laugh.",
            "I might apologize.",
            "If I apologize, will you stay?",
            "I wish I could say I'm sorry.",
            "Sorry, what?",
            "I'm sorry?",
            "Sorry to interrupt.",
            "I'm sorry for your loss.",
            "I'm sorry to hear that.",
            "I'm sorry I ever trusted you.",
            "What a sorry state this is.",
            "A sorry excuse for a manager, that's you.",
            "I don't think I'm sorry.",
            "I didn't mean to.",
            "I refuse to apologize.",
            "I have nothing to apologize for.",
            "I feel sorry for you.",
            "Sorry is not enough.",
            "I regret nothing.",
            "Sorry, what did you say?",
            "I'm sorry, did I ask you?",
            "I'm sorry, I didn't catch that.",
            "I'm sorry, no.",
            "I'm sorry, I can't do that.",
            "Sorry, I have to go.",
            "I'm sorry if anyone was offended.",
            "My apologies if I'm early.",
            "I am anything but sorry.",
            "I apologize for nothing.",
            "My apologies are worth nothing.",
            "I'm sorry, Alice, but I regret nothing.",
            "I'm sorry, Alice, but I had a good reason.",
            "I almost said I'm sorry.",
            "Last year I said I'm sorry and look where it got me.",
            "Yeah, sorry, whatever.",
            "I'm sorry. No, I take it back.",
            "I'm so—",
            "",
        ],
    );
}

#[test]
fn acceptances() {
    does(
        Act::Accept,
        &[
            "I accept your apology.",
            "I accept.",
            "Apology accepted.",
            "Your apology is accepted.",
            "I forgive you.",
            "I appreciate you saying that. But we need a plan to prevent this from happening again.",
            "Thank you for saying that.",
            "Thank you for your honesty, Bob.",
            "Okay. I accept that apology, Bob.",
            "I really do appreciate your apology.",
            "I think I forgive you.",
            "I accept your apology, okay?",
            "Fine, I'll accept it.",
        ],
    );
    has(
        Sign::SoftAcceptance,
        &["It's okay.", "That's all right.", "We're good.", "No hard feelings.", "Don't worry."],
    );
}

#[test]
fn what_only_sounds_like_an_acceptance() {
    does_not(
        Act::Accept,
        &[
            "I can't accept that.",
            "I don't accept your apology.",
            "I will not accept excuses.",
            "You expect me to accept that?",
            "I would accept if you meant it.",
            "I accept your apology if you promise to change.",
            "I accept responsibility.",
            "I accept full responsibility for the loss.",
            "I can never forgive you.",
            "Forgive me.",
            "Do you accept my apology?",
            "Please accept my apology.",
            "Alice accepts.",
            "I don't think I accept.",
            "I might accept it one day.",
            "Should I accept that?",
            "She said 'I accept' and slammed the door.",
            "You never accept anything.",
            "If I accept your apology, what then?",
            "Apology not accepted.",
            "I'll forgive you when hell freezes over.",
            "I accept no excuses.",
            "I accept. Wait, no. I take it back.",
        ],
    );
    has_not(
        Sign::SoftAcceptance,
        &["It's not okay.", "Is it okay?", "Are we good?", "That's not all right."],
    );
    for line in
        ["I can't accept that.", "I don't forgive you.", "I refuse to accept it.", "Sorry isn't enough, Bob."]
    {
        assert!(Acts::of(line).denies(Act::Accept), "{line}");
    }
}

#[test]
fn agreements_and_steps() {
    has(
        Sign::Step,
        &[
            "Agreed. I'll set up weekly check-ins with you and\ndocument all project timelines. No more surprises.",
            "Absolutely. I'll get a framework together by tomorrow.",
            "Let's meet every Monday.",
            "How about weekly check-ins?",
            "What if we review it on Fridays?",
            "We need weekly reviews.",
            "I will send you the report.",
            "Why don't we schedule a call?",
            "From now on I'll write everything down.",
            "I'm going to call the client.",
        ],
    );
    has_not(
        Sign::Step,
        &[
            "I'll try.",
            "I'll never set foot here again.",
            "Let's do that.",
            "We need a plan to prevent this from happening again.",
            "I won't set up anything.",
            "If I could, I'd send it.",
            "We need to talk about the Henderson project. Now.",
            "I can explain what happened—",
            "You should be ashamed.",
            "I'm going to get a coffee.",
            "I'll get my coat.",
            "You can get lost.",
            "I'll get you for this.",
            "I'll report you to the boss.",
            "I'll call the police.",
            "We should have a plan.",
            "We need to talk about the deadline.",
            "Let me finish.",
        ],
    );
    does(
        Act::Agree,
        &[
            "Agreed.",
            "Deal.",
            "Okay. Let's do that. Charlie, can you help Bob set up the new process?",
            "That works for me.",
            "Sounds good.",
            "I agree.",
            "You've got a deal.",
            "Fair enough.",
        ],
    );
    does_not(
        Act::Agree,
        &[
            "I don't agree.",
            "Do we agree?",
            "No deal.",
            "Let's agree to disagree.",
            "I'd agree if it were true.",
            "You never agree with me.",
            "Big deal!",
            "Agreed, but not today.",
            "I agree it was bad.",
        ],
    );
    has(Sign::NoAgreement, &["No deal.", "I disagree.", "That won't work.", "I can't agree to that."]);
}

#[test]
fn confronting_and_mediating() {
    does(
        Act::Confront,
        &[
            "We need to talk about the Henderson project. Now.",
            "I don't want excuses! We lost the client!",
            "How could you?",
            "You missed the deadline, Bob.",
            "You let the whole team down.",
            "What were you thinking?",
            "No! You don't get to make excuses!",
            "I can't believe you would miss such an important deadline!",
            "Fine. Tell me what happened.",
        ],
    );
    does_not(Act::Confront, &["Good morning.", "I missed the deadline.", "Nice to see you.", "I accept."]);
    does(
        Act::Mediate,
        &[
            "Maybe we should all take a moment to calm down.",
            "Maybe we should all just...",
            "Let's all take a breath.",
            "Let's hear both sides.",
            "Can we please just discuss this calmly?",
            "Stop it, both of you.",
            "Let him finish.",
            "You two are on the same side.",
        ],
    );
    does_not(
        Act::Mediate,
        &[
            "I'm sorry.",
            "Let's do that.",
            "You missed it.",
            "I refuse to listen to this.",
            "Don't tell me to calm down.",
            "Calm down? Never!",
        ],
    );
}

#[test]
fn the_other_acts() {
    does(
        Act::Admit,
        &[
            "You're right. I messed up.",
            "It was my fault.",
            "I accept full responsibility.",
            "I lied.",
            "My mistake.",
        ],
    );
    does_not(
        Act::Admit,
        &[
            "It wasn't my fault.",
            "You messed up.",
            "Was it my fault?",
            "I didn't lie.",
            "I take no responsibility.",
            "I admit nothing.",
        ],
    );
    does(Act::Explain, &["I was stuck in traffic.", "Because the server died.", "Let me explain."]);
    does(Act::Promise, &["I promise.", "It won't happen again.", "You have my word.", "I'll do better."]);
    does_not(
        Act::Promise,
        &["I can't promise that.", "You promised!", "Do you promise?", "I never promised anything."],
    );
    does(Act::Refuse, &["No.", "I won't do it.", "I refuse.", "Absolutely not.", "I'm not sorry."]);
    does_not(
        Act::Refuse,
        &["No problem.", "Will you refuse?", "I accept.", "I won't refuse, I accept.", "No?"],
    );
    does(Act::Ask, &["Where were you?", "Really?! Again.", "You did what!?"]);
    does_not(Act::Ask, &["I asked him.", "Tell me."]);
    does(Act::Thank, &["Thank you.", "Thanks, Bob.", "I appreciate it.", "I can't thank you enough."]);
    does_not(
        Act::Thank,
        &["Thanks for nothing.", "I don't thank you.", "I would appreciate an answer.", "No thanks."],
    );
    does(Act::Farewell, &["Goodbye, Bob.", "See you tomorrow.", "I have to go.", "Good night."]);
    does_not(Act::Farewell, &["Let's go over it.", "I see.", "Good."]);
}

#[test]
fn the_last_word_counts() {
    let acts = Acts::of("I'm sorry. No, you know what? I'm not sorry.");
    assert!(!acts.has(Act::Apologise) && acts.denies(Act::Apologise));
    assert!(Acts::of("I take it back, I'm not sorry.").shows(Sign::Retraction));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        Acts::of(&text);
    }

    #[test]
    fn any_likely_text_is_read(text in "(i|I'm|sorry|not|accept|\\?|\\. |, |'|\"|\\*|“|”|’| |will|let's|\u{2014}|é){0,60}") {
        Acts::of(&text);
    }

    #[test]
    fn quoted_words_do_nothing(text in "[a-zA-Z ,.']{0,80}") {
        let quoted = format!("And then she said “{text}” over there.");
        prop_assert!(!Acts::of(&quoted).has(Act::Apologise));
        prop_assert!(!Acts::of(&quoted).has(Act::Accept));
    }
}

#[test]
fn every_phrase_stands_below_a_sign_and_only_once() {
    for text in [include_str!("phrases.txt"), include_str!("exceptions.txt")] {
        let mut all: Vec<_> = entries(text).collect();
        let count = all.len();
        assert!(count > 50);
        phrases::<Sign>(text);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "a phrase is there twice");
    }
}
