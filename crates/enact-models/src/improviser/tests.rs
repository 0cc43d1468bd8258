mod theatre;

use theatre::{bare_sheets, config, play};

#[test]
fn look() {
    let scenes: &[(&str, &[&str], Option<&str>)] = &[
        ("Bob apologizes to Alice for being late. Alice accepts.", &["alice", "bob"], Some("bob")),
        ("Bob apologizes to Alice for missing deadline. Alice accepts.", &["alice", "bob"], Some("bob")),
        ("Heated argument where Alice interrupts Bob mid-sentence.", &["alice", "bob"], Some("bob")),
        ("Alice confronts Bob about project failure. Charlie mediates.", &["alice", "bob", "charlie"], Some("alice")),
        ("Alice confronts Bob about missing the Henderson project deadline. Charlie is present as a witness. Scene goal: Bob apologizes sincerely, Alice accepts and they agree on next steps.", &["alice", "bob", "charlie"], Some("alice")),
        ("Two sisters argue over their mother's house.", &["ines", "ruth"], None),
        ("The crew debates whether to turn the ship around.", &["ada", "ben", "cleo", "dan", "eve"], Some("cleo")),
        ("Mia asks Tom for help with the garden. Tom refuses.", &["mia", "tom"], Some("mia")),
        ("Two strangers meet in a lift that is stuck.", &["kim", "lou"], None),
        ("Deux amis se disputent à propos de l'héritage.", &["kim", "lou"], None),
        ("Tom admits to Mia that he sold the car. Mia forgives him. Tom thanks Mia and they say goodbye.", &["mia", "tom"], Some("tom")),
        ("Ann explains to Ben why she left. Ben promises to call.", &["ann", "ben"], Some("ben")),
        ("A family dinner.", &["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j10", "k11", "l12"], None),
        ("Bob confronts Alice about the money. Alice does not apologize.", &["alice", "bob"], Some("bob")),
    ];
    for (prompt, cast, opener) in scenes {
        for seed in 0..3 {
            let config = config(prompt, cast, *opener);
            let sheets = bare_sheets(&config);
            let played = play(config, sheets, seed);
            println!("=== {seed} {prompt}\n{:?}\n{:?}\n{}", played.scene.setup().goals, played.verdict().goals.iter().map(|g| g.met).collect::<Vec<_>>(), played.read());
            if !played.repeated().is_empty() || !played.warnings().is_empty() { println!("!!! {:?} {:?}", played.repeated(), played.warnings()); }
        }
    }
    for c in 0..30 { print!("{} ", enact_drama::dice::Dice::new(c, "cause", 0).below(3)); }
}
