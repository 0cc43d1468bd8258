//! How something comes out that somebody is to own up to.

use enact_drama::{
    Name,
    scene::{SceneConfig, SceneFormat, read_scene},
};

use super::theatre::plays;

const SCENE: &str = include_str!("../../../../../corpus/scenes/bed-fourteen/scene.md");
const SHEETS: [(&str, &str); 3] = [
    ("dr-amari", include_str!("../../../../../corpus/scenes/bed-fourteen/.claude/agents/dr-amari.md")),
    ("nurse-holt", include_str!("../../../../../corpus/scenes/bed-fourteen/.claude/agents/nurse-holt.md")),
    ("jonas", include_str!("../../../../../corpus/scenes/bed-fourteen/.claude/agents/jonas.md")),
];

fn bed_fourteen() -> (SceneConfig, Option<Vec<(Name, String)>>) {
    let config = read_scene(SCENE, SceneFormat::Markdown { default_name: "bed-fourteen" }).unwrap();
    let sheets = SHEETS.map(|(name, sheet)| (Name::new(name).unwrap(), sheet.to_owned()));
    (config, Some(sheets.to_vec()))
}

#[test]
fn it_is_denied_and_witnessed_before_it_is_said() {
    for (seed, played) in plays(12, bed_fourteen) {
        let read = played.read();
        let spoken: Vec<(&str, &str)> = played.spoken().map(|(by, line)| (by, line.heard())).collect();
        let first = |by: &str, words: &[&str]| {
            let said =
                |(who, line): &(&str, &str)| *who == by && words.iter().any(|word| line.contains(word));
            spoken
                .iter()
                .position(said)
                .unwrap_or_else(|| panic!("seed {seed}: {by} never said {words:?}\n{read}"))
        };
        let denied = first("jonas", &["I never changed the chart"]);
        let blamed = first("jonas", &["the pharmacy"]);
        let witnessed =
            first("nurse-holt", &["I saw you change the chart", "I stood at the medicine cupboard"]);
        let admitted = first("jonas", &["I changed the chart"]);
        let cracked = first("jonas", &["I wrote"]);
        let suspended = first("dr-amari", &["I suspend you"]);
        let order = [denied, blamed, witnessed, cracked, admitted, suspended];
        assert!(order.is_sorted(), "seed {seed}: {order:?}\n{read}");
        // Nobody asks for what hurts them, and the one who judges does not answer like the accused.
        let asks = |(who, line): &(&str, &str)| *who == "jonas" && line.contains("suspend");
        let shouts = |(who, line): &(&str, &str)| *who == "dr-amari" && line.contains('!');
        assert!(!spoken.iter().any(|said| asks(said) || shouts(said)), "seed {seed}\n{read}");
    }
}
