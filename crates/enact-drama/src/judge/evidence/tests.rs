//! What the weights are learnt from, and what holds for every act.

use std::{collections::VecDeque, fmt::Write as _, fs, path::Path};

use super::{act_model, evidence_watch::EvidenceWatch, features::LineTraits, sentences, tone_model};
use crate::{
    acts::{ActKind, TemplateSlot},
    judge::{Goal, Transcript, acts::Sign, goals_of, judge, names, verdict::Spot},
};

/// For `scripts/train-judge`: the features of sentences and of the lines of labelled cases, by the code that
/// the judge goes by. Does nothing unless it is told where to write them.
#[test]
fn features_are_written() {
    let Some(to) = std::env::var_os("ENACT_JUDGE_FEATURES_TO") else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::create_dir_all(&to).unwrap();
    fs::write(Path::new(&to).join("sentences.tsv"), sentence_features(&root.join("corpus/acts"))).unwrap();
    let cases = std::env::var_os("JUDGE_CORPUS").map_or_else(|| root.join("corpus/judge"), Into::into);
    fs::write(Path::new(&to).join("cases.tsv"), case_features(&cases)).unwrap();
}

fn sentence_features(folder: &Path) -> String {
    let mut page = String::new();
    for text in texts(folder, "txt") {
        let mut act = String::new();
        for row in text.lines().filter(|row| !row.starts_with('#')) {
            let Some((sign, sentence)) = row.split_once(' ').filter(|(sign, _)| matches!(*sign, "+" | "-"))
            else {
                assert!(ActKind::named(row).is_some(), "no act is called '{row}'");
                row.clone_into(&mut act);
                continue;
            };
            let (parts, _) = sentences::parts(sentence);
            let features: Vec<String> =
                parts.iter().map(|part| act_model::features(part).join("\x1f")).collect();
            writeln!(page, "{act}\t{sign}\t{sentence}\t{}", features.join("\t")).unwrap();
        }
    }
    page
}

fn texts(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ext| ext == ending)).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[derive(serde::Deserialize)]
struct CaseFile {
    case: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    cast: Vec<String>,
    goal: String,
    lines: Vec<String>,
    met: bool,
}

fn told(line: &str) -> String {
    tone_model::features(&sentences::parts(line).0).join("\x1f")
}

/// A row for each line of a subject: case, met, goal, how many goals, act, lines left, features, and what the tone
/// model knows it and its answers by.
fn case_features(folder: &Path) -> String {
    let mut page = String::new();
    for text in texts(folder, "toml") {
        for case in toml::from_str::<CaseFile>(&text).unwrap().case {
            let cast: Vec<&str> = case.cast.iter().map(String::as_str).collect();
            let transcript = Transcript::read(&case.lines.join("\n")).unwrap();
            let goals: Vec<Goal> =
                goals_of(&[], &case.goal, &cast).iter().map(|text| Goal::read(text, &cast)).collect();
            for (number, goal) in goals.iter().enumerate() {
                let head = format!("{}\t{}\t{number}\t{}", case.id, case.met, goals.len());
                let Ok(reading) = &goal.reading else {
                    writeln!(page, "{head}\tunread").unwrap();
                    continue;
                };
                let mut watch = EvidenceWatch::new();
                let mut before: VecDeque<LineTraits> = VecDeque::new();
                let mut last: Option<(usize, [f32; super::features::FEATURES])> = None;
                let mut rows: Vec<(usize, [f32; super::features::FEATURES])> = Vec::new();
                for (at, line) in transcript.heard().iter().enumerate() {
                    if line.speaker.is_empty() || line.content.trim().is_empty() {
                        continue;
                    }
                    let traits = LineTraits::of(
                        line.content,
                        line.target,
                        names::index_of(line.speaker, &case.cast),
                        &case.cast,
                    );
                    let denied = goal.act.is_some_and(|act| line.acts.denies(act))
                        || line.acts.shows(Sign::Retraction);
                    watch.hear(reading, &traits, &before, Spot { at, line: at }, denied);
                    if let Some(newest) = watch.newest() {
                        if last.is_some_and(|last| last.0 != newest.0) {
                            rows.extend(last);
                        }
                        last = Some(newest);
                    }
                    before.truncate(2);
                    before.push_front(traits);
                }
                rows.extend(last);
                if rows.is_empty() {
                    writeln!(page, "{head}\tunread").unwrap();
                }
                for (line, features) in rows {
                    let features: Vec<String> = features.iter().map(|value| format!("{value:.4}")).collect();
                    let heard = transcript.heard();
                    let own = told(heard[line].content);
                    let answers = heard[line + 1..].iter().filter(|next| !next.speaker.is_empty()).take(2);
                    let answers: Vec<String> = answers.map(|next| told(next.content)).collect();
                    let late = heard.len() - line;
                    let tail = [
                        own,
                        answers.first().cloned().unwrap_or_default(),
                        answers.get(1).cloned().unwrap_or_default(),
                    ];
                    writeln!(
                        page,
                        "{head}\t{}\t{late}\t{}\t|\t{}",
                        reading.act.name(),
                        features.join("\t"),
                        tail.join("\t")
                    )
                    .unwrap();
                }
            }
        }
    }
    page
}

/// What is said as an act is heard as that act: by the words of the tables, for every act and template.
#[test]
fn what_is_said_is_heard() {
    let mut missed = Vec::new();
    for act in ActKind::all().filter(|act| !matches!(act.name(), "persuade" | "interrupt")) {
        let sample = &act.entry().sample;
        let cast = ["Alice", "Bob", "Charlie"];
        let goals = [Goal::read(&sample.goal, &cast)];
        for template in act.said() {
            let fill = |slot| {
                Some(match slot {
                    TemplateSlot::To => "Alice".to_owned(),
                    TemplateSlot::Thing => sample.thing.clone(),
                    TemplateSlot::Doing => sample.doing.clone(),
                    TemplateSlot::Deed => sample.deed.clone(),
                    TemplateSlot::Fact => sample.fact.clone(),
                })
            };
            let said = template.fill(fill).unwrap();
            let before = "Well? What do you say?";
            let text = format!("Alice: {before}\nBob: {said}\nAlice: I see.");
            let transcript = Transcript::read(&text).unwrap();
            let verdict = judge(&goals, &cast, &transcript.heard());
            if verdict.goals[0].met != Some(true) {
                missed.push(format!("{}: {said}", act.name()));
            }
        }
    }
    assert!(missed.is_empty(), "{} are not heard:\n{}", missed.len(), missed.join("\n"));
}
