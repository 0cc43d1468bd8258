use super::{
    GoalObject::{Clause, Deed, Fact, Thing},
    Person::{Listener, Speaker},
    *,
};

#[test]
fn matters_are_said_by_whoever_they_concern() {
    let cases: &[(&str, Person, Option<GoalObject>)] = &[
        ("to marry her", Listener, Some(Deed("marry me".into()))),
        ("her to dance", Listener, Some(Deed("dance".into()))),
        ("to sign it until Ann pays", Speaker, Some(Deed("sign it".into()))),
        ("he lied because she asked", Speaker, Some(Fact("I lied".into()))),
        ("saving her life", Listener, None),
        ("better communication", Speaker, Some(Thing("better communication".into()))),
        ("to call", Speaker, Some(Deed("call".into()))),
        ("to call her every day", Speaker, Some(Deed("call you every day".into()))),
        ("to return her book", Speaker, Some(Deed("return the book".into()))),
        ("to help Ann with the garden", Speaker, Some(Deed("help you with the garden".into()))),
        ("he lied", Speaker, Some(Fact("I lied".into()))),
        ("he was late and lost his keys", Speaker, Some(Fact("I was late and lost my keys".into()))),
        ("he sold her car", Speaker, Some(Fact("I sold your car".into()))),
        ("he is afraid of her", Speaker, Some(Fact("I am afraid of you".into()))),
        ("Ann was right", Speaker, Some(Fact("you were right".into()))),
        ("he always loses", Speaker, None),
        ("he loves her", Speaker, None),
        ("they lied", Speaker, None),
        ("why he left", Speaker, Some(Clause("why I left".into()))),
        ("where he was", Listener, Some(Clause("where you were".into()))),
        ("if he is coming", Listener, Some(Clause("whether you are coming".into()))),
        ("the offer of dinner", Speaker, Some(Thing("the offer of dinner".into()))),
        ("Ann's invitation", Speaker, Some(Thing("your invitation".into()))),
        ("lying to Ann", Speaker, Some(Thing("lying to you".into()))),
        ("forgetting her birthday", Listener, Some(Thing("the birthday".into()))),
        ("it", Speaker, None),
        ("not to call", Speaker, None),
        ("", Speaker, None),
    ];
    for (about, of, expected) in cases {
        let saying = Speakers { speaker: "Ben", listener: "Ann", of: *of };
        assert_eq!(GoalObject::of(about, saying), *expected, "{about}");
    }
}
