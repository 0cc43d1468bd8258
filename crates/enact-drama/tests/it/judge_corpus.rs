//! How well the rules judge: every labelled case of `corpus/judge`, and the figures that come of it.
//!
//! `scripts/judge-corpus` prints them. `JUDGE_CORPUS` names another folder, and with `JUDGE_CORPUS_SHOW` every
//! case that was judged wrongly is shown as well.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use enact_drama::judge::{Goal, Transcript, goals_of, judge};
use serde::Deserialize;

#[derive(Deserialize)]
struct CaseFile {
    case: Vec<Case>,
}

/// A goal, a transcript, and whether a reader found that the one is met in the other.
#[derive(Deserialize)]
struct Case {
    id: String,
    kind: String,
    act: String,
    cast: Vec<String>,
    goal: String,
    lines: Vec<String>,
    met: bool,
    why: String,
}

#[derive(Default, Clone, Copy)]
struct Score {
    cases: usize,
    right: usize,
    read: usize,
    right_of_read: usize,
    met: usize,
    met_seen: usize,
    falsely_met: usize,
}

impl Score {
    fn add(&mut self, expected: bool, found: Option<bool>) {
        // What the rules cannot read is not met as far as they know.
        let right = found.unwrap_or(false) == expected;
        self.cases += 1;
        self.right += usize::from(right);
        self.read += usize::from(found.is_some());
        self.right_of_read += usize::from(found.is_some() && right);
        self.met += usize::from(expected);
        self.met_seen += usize::from(expected && found == Some(true));
        self.falsely_met += usize::from(!expected && found == Some(true));
    }

    fn row(&self, name: &str) -> String {
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        format!(
            "{name:16} {:4} cases  accuracy {:.2}  met seen {:3} of {:3} ({:.2})  falsely met {:2}  coverage {:.2}  at coverage {:.2}",
            self.cases,
            share(self.right, self.cases),
            self.met_seen,
            self.met,
            share(self.met_seen, self.met),
            self.falsely_met,
            share(self.read, self.cases),
            share(self.right_of_read, self.read),
        )
    }
}

/// Least accuracy on the corpus of the repository. A change that goes below it has made the judge worse.
const LEAST_ACCURACY: f64 = 0.75;

/// Most goals that are wrongly seen as met, of those that are not: each of them ends a scene too early.
const MOST_FALSELY_MET: f64 = 0.11;

#[test]
fn the_judge_holds_on_the_corpus() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/judge");
    let named = std::env::var_os("JUDGE_CORPUS").map(PathBuf::from);
    let show = std::env::var_os("JUDGE_CORPUS_SHOW").is_some();
    let cases = cases(named.as_deref().unwrap_or(&own));
    assert!(!cases.is_empty(), "there are no cases");
    let mut all = Score::default();
    let mut groups: BTreeMap<(u8, String), Score> = BTreeMap::new();
    let mut wrong = String::new();
    for case in &cases {
        let found = found(case);
        all.add(case.met, found);
        for group in [(0, case.kind.clone()), (1, case.act.clone())] {
            groups.entry(group).or_default().add(case.met, found);
        }
        if found.unwrap_or(false) != case.met || found.is_none() {
            writeln!(
                wrong,
                "\n{} ({}): {found:?}, not {}\n  goal: {}",
                case.id, case.kind, case.met, case.goal
            )
            .unwrap();
            case.lines.iter().for_each(|line| writeln!(wrong, "    {line}").unwrap());
            writeln!(wrong, "  why: {}\n{}", case.why, readings(case)).unwrap();
        }
    }
    let mut page = all.row("all");
    groups.iter().for_each(|((_, name), score)| page += &format!("\n{}", score.row(name)));
    eprintln!("{}{page}", if show { wrong.as_str() } else { "" });
    if named.is_none() {
        assert!(all.right as f64 >= LEAST_ACCURACY * all.cases as f64, "{page}");
        let unmet = all.cases - all.met;
        assert!(all.falsely_met as f64 <= MOST_FALSELY_MET * unmet as f64, "{page}");
    }
}

fn cases(folder: &Path) -> Vec<Case> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "toml"))
        .collect();
    files.sort();
    let read = |file: &PathBuf| toml::from_str::<CaseFile>(&fs::read_to_string(file).unwrap()).unwrap().case;
    files.iter().flat_map(read).collect()
}

fn goals(case: &Case) -> Vec<Goal> {
    let cast: Vec<&str> = case.cast.iter().map(String::as_str).collect();
    goals_of(&[], &case.goal, &cast).iter().map(|text| Goal::read(text, &cast)).collect()
}

/// Whether all goals of a case are met; nothing when one of them cannot be read and the others are met.
fn found(case: &Case) -> Option<bool> {
    let verdict = verdict(case);
    let any = |met| verdict.goals.iter().any(|goal| goal.met == met);
    if any(Some(false)) { Some(false) } else { (!any(None)).then_some(true) }
}

fn verdict(case: &Case) -> enact_drama::judge::Verdict {
    let line = |line: &String| match line.strip_prefix("[EVENT]") {
        Some(event) => format!("[EVENT:{event}]"),
        None => line.clone(),
    };
    let text = case.lines.iter().map(line).collect::<Vec<_>>().join("\n");
    let transcript = Transcript::read(&text).unwrap();
    let cast: Vec<&str> = case.cast.iter().map(String::as_str).collect();
    judge(&goals(case), &cast, &transcript.heard())
}

fn readings(case: &Case) -> String {
    let verdict = verdict(case);
    let row = |(goal, status): (&Goal, &enact_drama::judge::GoalStatus)| {
        format!("  read: {} -> {:?} by {:?}", goal.text, status.met, status.evidence)
    };
    goals(case).iter().zip(&verdict.goals).map(row).collect::<Vec<_>>().join("\n")
}
