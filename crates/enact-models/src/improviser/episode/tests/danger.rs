//! Danger is read in what users say. What the improviser says itself, and what the shipped episodes say, is no cry for
//! help, not even where another improviser hears it.

use super::{super::heard::UserLine, PlayedEpisode, shipped, template};

/// All texts of a file, however deep they stand.
fn texts(value: &toml::Value, found: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => found.push(text.clone()),
        toml::Value::Array(all) => all.iter().for_each(|one| texts(one, found)),
        toml::Value::Table(table) => table.values().for_each(|one| texts(one, found)),
        _ => {}
    }
}

/// The lines that stand in the files of two folders.
fn own_lines() -> Vec<String> {
    let folders = ["src/improviser/episode/lines", "src/improviser/lines"];
    let mut found = Vec::new();
    for folder in folders {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in std::fs::read_dir(folder).expect("there are lines") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = std::fs::read_to_string(&path).expect("a file of lines");
                texts(&text.parse::<toml::Table>().expect("lines").into(), &mut found);
            }
        }
    }
    found
}

fn reads_danger(text: &str) -> bool {
    UserLine::read(text).heard.help.is_some()
}

#[test]
fn no_line_of_ours_is_a_cry_for_help() {
    let filled = own_lines().into_iter().map(|line| {
        let values = [("topic", "your sister"), ("word", "harbour"), ("thing", "the window")];
        values.iter().fold(line, |line, (name, value)| line.replace(&format!("{{{name}}}"), value))
    });
    let read: Vec<String> = filled.filter(|line| reads_danger(line)).collect();
    assert!(read.is_empty(), "{read:#?}");
}

#[test]
fn no_line_of_the_shipped_episodes_is_one() {
    let mut read = Vec::new();
    for (episode, _) in shipped::shipped() {
        let quoted = episode.cues.iter().flat_map(|cue| cue.instruction.split('"').skip(1).step_by(2));
        let options = episode.cues.iter().filter_map(|cue| cue.choice.as_ref());
        let labels = options.flat_map(|choice| choice.options.iter().map(|option| option.label.as_str()));
        let endings = episode.endings.iter().map(|ending| ending.text.as_str());
        let starters = episode.starter_prompts.iter().map(String::as_str);
        let opening = [episode.opening_line.as_str()];
        let all = quoted.chain(labels).chain(endings).chain(starters).chain(opening);
        read.extend(all.filter(|text| reads_danger(text)).map(str::to_owned));
    }
    assert!(read.is_empty(), "{read:#?}");
}

#[test]
fn what_another_improviser_says_stops_no_play_and_what_a_user_adds_does() {
    let stock = [
        "If I told you everything now, you would have no reason to stay. What happens if I say no?",
        "About your brother, I only know the half that suits me. If I told you everything now, you would have no reason to stay.",
        "This is no game to me now. Please don't stay alone with it: call the emergency services right now.",
        "I can't help you the way a person can, and I want you to be safe. Please try to reach your local emergency number.",
    ];
    for said in stock {
        assert!(!reads_danger(said), "{said}");
        for cry in ["I want to kill myself.", "I have taken all the pills.", "I don't want to live any more."]
        {
            assert!(reads_danger(&format!("{said} {cry}")), "{said} {cry}");
            let mut played = PlayedEpisode::begin(template("tension: 20"), "# Mina", "Mina", 1);
            played.exchange(Some(&format!("{said} {cry}")), None);
            let (answer, _) = played.answers().last().expect("there is an answer");
            assert!(answer.dialogue.contains("lease"), "{}", answer.dialogue);
        }
    }
}

/// Two improvisers who talk to each other, each in the place of the other's user.
#[test]
fn two_of_us_never_name_a_helpline_to_each_other() {
    let all = shipped::shipped();
    for (at, (episode, sheet)) in all.iter().enumerate() {
        for seed in 0..6 {
            let (_, other) = &all[(at + 1 + seed as usize) % all.len()];
            let mut one = PlayedEpisode::begin(episode.clone(), sheet, &shipped::display(sheet), seed);
            let open = template("tension: 20");
            let mut two = PlayedEpisode::begin(open, other, &shipped::display(other), seed + 1);
            let mut said = episode.opening_line.clone();
            for _ in 0..12 {
                for player in [&mut two, &mut one] {
                    if enact_drama::production::Production::ended(&player.episode).is_none() {
                        player.exchange(Some(&said), None);
                        let (answer, _) = player.answers().last().expect("there is an answer");
                        assert!(!answer.dialogue.contains("emergency"), "{}", player.transcript());
                        said.clone_from(&answer.dialogue);
                    }
                }
            }
        }
    }
}
