//! Longer phrases that unmake a shorter one they share words with: "sorry to interrupt" is no apology.

use super::{Sign, table::Table};

pub(super) const SPOILERS: Table = &[
    (
        Sign::Apology,
        &[
            "sorry to ~ hear|interrupt|bother|say|tell|inform|disappoint|break|see|cut|disturb|intrude|report|butt",
            "sorry for your|the loss",
            "sorry for you|him|her|them|myself $",
            "sorry that? you ~ feel|think|took|are|were|got|misunderstood|see|believe|felt|take|can",
            "sorry that? this|it|that ~ upsets|upset|bothers|offends",
            "sorry if you",
            "sorry but",
            "sorry i ~ ever|trusted|hired|met|believed|asked|bothered|helped|came",
            "sorry excuse|state|sight|lot|story|mess",
            "sorry what|who|come|pardon $",
            "sorry is|will|does",
            "sorry not sorry",
            "i ~ would|could|might|may apologise|apologize",
            "regret that? you|it|to",
            "regret to inform|say",
            "regret nothing|hiring|trusting|meeting|apologising|apologizing",
            "excuse|forgive me for ~ asking|interrupting",
        ],
    ),
    (
        Sign::Acceptance,
        &[
            "accept ~ full|complete? responsibility|blame|defeat",
            "accept .. responsibility|blame|fault",
            "accept that i|you|we|it|this|he|she|they",
            "accept i|we|excuses",
            "accept the ~ fact|consequences",
            "accept .. never",
        ],
    ),
    (
        Sign::SoftAcceptance,
        &[
            "thank you for ~ nothing|coming|asking|your time",
            "thank you but",
            "do not worry about me",
            "okay to|for|but",
        ],
    ),
    (Sign::NoApology, &["can not ~ apologise|apologize enough"]),
    (Sign::Forgiveness, &["forgive me|myself"]),
    (
        Sign::Assent,
        &[
            "agree to disagree",
            "no|big deal|agreement",
            "agreed but",
            "fair enough but",
            "sounds like you|a|an|excuses",
            "agree with ~ nothing|none",
            "agree that? you ~ are|were|should",
        ],
    ),
    (Sign::WeakAssent, &["okay|yes|yeah|fine|sure|good|great but", "good luck|god|grief", "fine i will|do"]),
    (Sign::Promise, &["i can|will promise nothing|you nothing"]),
    (Sign::Thanks, &["thanks|thank you? for ~ nothing", "i would appreciate", "thank you not"]),
    (Sign::Admission, &["you are ~ right to|here|there|about you?"]),
    (Sign::Explanation, &["because of you", "because i said"]),
];
