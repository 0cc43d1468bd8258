//! What is wrong with field files, found without playing anything.

use std::{
    fs,
    path::{Path, PathBuf},
};

use enact_drama::{Problem, field::kind::Between, sheet::Sheet};

use super::prepare::{FieldLinks, find_field};

/// The fields of a folder: `field.md`, and the files in `fields`.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let below = |name: &str| if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
    let listed = fs::read_dir(below("fields")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = listed.chain([below("field.md")]).filter(|file| is_field(file)).collect();
    files.sort();
    files
}

/// What there is to tell of a field; nothing of other files.
pub(super) fn check_file(file: &Path) -> Option<Result<Vec<String>, Problem>> {
    is_field(file).then(|| lines_of(file))
}

/// Whether a file is that of a field: its map stands in a block of its own, or at least it says who and what the
/// letters of one are.
fn is_field(file: &Path) -> bool {
    let is_markdown = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let is_sign = |line: &str| {
        line.trim_end() == "```map" || line.starts_with("things:") || line.starts_with("people:")
    };
    let has_sign = |text: String| text.starts_with("---") && text.lines().any(is_sign);
    is_markdown && fs::read_to_string(file).is_ok_and(has_sign)
}

fn lines_of(file: &Path) -> Result<Vec<String>, Problem> {
    let found = find_field(file, None, FieldLinks::Followed)?;
    for (name, text) in &found.sheets {
        Sheet::read(name.as_str(), text)?;
    }
    let plan = &found.plan;
    let mut lines = vec![format!("{} is a field: {}", file.display(), plan.title)];
    lines.push(format!("  {} by {} cells, {} things", plan.width, plan.height, plan.things.len()));
    let people: Vec<&str> = plan.people.iter().map(|person| person.name.as_str()).collect();
    let people = if people.is_empty() { "nobody".to_owned() } else { people.join(", ") };
    lines.push(format!("  people: {people}"));
    let offered = |kind: &usize| {
        let used = plan
            .things
            .iter()
            .any(|(thing, _)| plan.prototypes[usize::from(*thing)].offers.contains(&(*kind as u16)));
        used || plan.kinds[*kind].between == Between::People
    };
    let kinds: Vec<&str> =
        (0..plan.kinds.len()).filter(offered).map(|kind| plan.kinds[kind].name.as_str()).collect();
    lines.push(format!("  what people can do: {}", kinds.join(", ")));
    Ok(lines)
}
