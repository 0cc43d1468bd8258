//! What is meant by what is written.

use expect_test::expect;

use super::*;

#[test]
fn words_are_read_as_they_are_meant() {
    let known: HashSet<String> =
        ["kill", "die", "suicide", "hang*", "bleach", "raped"].into_iter().map(str::to_owned).collect();
    let text: String = [
        "I can't, I won't, it isn't; he's here and my mother's gone",
        "im gonna go, dont wanna stay",
        "k1ll K!LL ki11 k*ll r*ped h@nging",
        "i want to d i e",
        "diiiie",
        "sui cide and my self",
        "suicde, siucide, SUICIDE!!!",
        "self-harm self harm selfharm",
        "Je n'en peux plus. J’ai avalé",
        "Mąż mnie bije, schlägt, não",
        "me 🔪🔪 tonight",
        "A dancer was talking, amused, at the beach",
        "40 at 9:14",
        "C'mon, rock'n'roll",
    ]
    .iter()
    .map(|written| format!("{written} => {}\n", meant(written, &known).join(" ")))
    .collect();
    expect![[r#"
        I can't, I won't, it isn't; he's here and my mother's gone => i can not i will not it is not he is here and my mother gone
        im gonna go, dont wanna stay => i am going to go do not want to stay
        k1ll K!LL ki11 k*ll r*ped h@nging => kill kill kill kill raped hanging
        i want to d i e => i want to die
        diiiie => die
        sui cide and my self => suicide and myself
        suicde, siucide, SUICIDE!!! => suicide suicide suicide
        self-harm self harm selfharm => self harm self harm self harm
        Je n'en peux plus. J’ai avalé => je and en peux plus j ai avale
        Mąż mnie bije, schlägt, não => maz mnie bije schlagt nao
        me 🔪🔪 tonight => me knife knife tonight
        A dancer was talking, amused, at the beach => dancer was talking amused at beach
        40 at 9:14 => 40 at 9 14
        C'mon, rock'n'roll => c mon rock and roll
    "#]].assert_eq(&text);
}
