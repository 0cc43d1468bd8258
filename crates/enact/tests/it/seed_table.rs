//! `enact run` with several scenes or seeds: a table of what came of each run.

use crate::project::Project;

const SCRIPT: &str = r#"
beat 0
bob: [TO: Alice, TONE: breathless] "The bus broke down on the bridge again."
beat 1
alice: [TO: Bob, TONE: cold] "You were late for the wedding. The bus broke down on the bridge again?"
beat 2
bob: [TO: Alice, TONE: remorseful] "I'm sorry I was late for the wedding."
"#;

fn project() -> Project {
    let project = Project::new();
    let scene = |name: &str, text: &str| {
        format!("---\nname: {name}\ncharacters: [alice, bob]\ninitialSpeaker: bob\n---\n{text}\n")
    };
    project.write("late.md", scene("late", "Bob is late for a wedding. Scene goal: Bob apologizes."));
    project.write("other.md", scene("other", "Bob apologizes to Alice for the soup. Alice accepts."));
    project.write("script.txt", SCRIPT);
    project
}

#[test]
fn a_scripted_scene_in_figures() {
    let project = project();
    let play = ["run", "late.md", "--model", "script:script.txt", "--seeds", "3..4"];
    let json = project.run(&[&play[..], &["--json"]].concat());
    assert_eq!((json.code, json.stderr.as_str()), (0, ""));
    let rows = json.json();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    let row = &rows[1];
    for (key, value) in [
        ("scene", serde_json::json!("late")),
        ("seed", 4.into()),
        ("reason", "goal_achieved".into()),
        ("goalsMet", 1.into()),
        ("goals", 1.into()),
        ("beats", 3.into()),
        ("lines", 3.into()),
        ("repeats", 1.into()),
    ] {
        assert_eq!(row[key], value, "{key}: {row}");
    }
    // Two of three lines speak of the wedding.
    let own = row["ownWords"].as_f64().unwrap();
    assert!((own - 2.0 / 3.0).abs() < 1e-9, "{row}");
    assert!((0.1..0.9).contains(&row["distinctness"].as_f64().unwrap()), "{row}");

    let csv = project.run(&[&play[..], &["--csv"]].concat());
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "file,scene,seed,run,end,goals_met,goals,beats,lines,repeats,own_words,distinctness"
    );
    assert!(
        lines[1].starts_with("late.md,late,3,") && lines[1].contains(",goal_achieved,1,1,3,3,1,0.667,0.")
    );
    assert_eq!(lines.len(), 3);
    let runs = project.run(&["runs", "--json"]).json();
    assert_eq!(runs.as_array().unwrap().len(), 4, "each is kept");
}

#[test]
fn several_scenes_give_a_table() {
    let project = project();
    let ran = project.run(&["run", "late.md", "other.md", "--seeds", "1..3", "--jobs", "2"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("SCENE  SEED  END"), "{}", ran.stdout);
    assert!(lines[0].ends_with("GOALS  BEATS  REPEATS  OWN WORDS  DISTINCT"), "{}", ran.stdout);
    let seeds: Vec<(&str, &str)> = lines[1..]
        .iter()
        .take_while(|line| !line.is_empty())
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().unwrap(), words.next().unwrap())
        })
        .collect();
    let expected =
        [("late", "1"), ("late", "2"), ("late", "3"), ("other", "1"), ("other", "2"), ("other", "3")];
    let runs: Vec<_> = seeds.iter().filter(|(first, _)| *first != "mean").copied().collect();
    assert_eq!(runs, expected, "{}", ran.stdout);
    assert_eq!(seeds.len(), 8, "a mean for each scene: {}", ran.stdout);
    let once = project.run(&["run", "late.md", "other.md", "--json", "--seed", "1"]).json();
    assert_eq!(once.as_array().unwrap().len(), 2);
    let required = ["run", "other.md", "--seeds", "1..2", "--max-beats", "1", "--quiet", "--require-goal"];
    let short = project.run(&required);
    assert_eq!((short.code, short.stdout.as_str()), (3, ""));
}

#[test]
fn what_gives_no_table() {
    let project = project();
    for (args, said) in [
        (&["run", "late.md", "--seeds", "5..1"][..], "such as 1..20"),
        (&["run", "late.md", "--seeds", "0..5000"], "at most 1000 seeds"),
        (&["run", "--seeds", "1..2"], "--seeds needs scene files"),
        (&["run", "late.md", "--seeds", "1..2", "--voice"], "--voice records one run"),
        (&["run", "late.md", "other.md", "--name", "x"], "--name is for one scene"),
        (&["run", "late.md", "--csv"], "--csv is for a table"),
        (&["run", "late.md", "--jobs", "2"], "--jobs is for a table"),
        (&["run", "late.md", "nowhere.md"], "nowhere.md: there is no such file"),
        (&["run", "late.md", "other.md", "--model", "bob=human"], "no person is asked for a table"),
    ] {
        let refused = project.run(args);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{args:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(said), "{args:?}: {}", refused.stderr);
    }
    assert_eq!(project.files(), ["late.md", "other.md", "script.txt"], "nothing was played");
}
