//! Makes a run of a field file: the first fact of its log, and the models that play its people.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use enact_drama::{
    Name, Problem,
    budget::Budget,
    dice::seed_of,
    field::{
        DEFAULT_MINUTES, FieldMinds, FieldPlan, FieldRole, FieldSetup, check_cast, read_field, sheet_of,
        world::RULES_VERSION,
    },
    sheet::Sheet,
};
use enact_engine::{
    Model,
    node::new_run,
    project_files::{self, SheetLinks},
};

use crate::{
    config::{Config, HUMAN, IMPROVISER},
    models::{ModelFactory, problem_of},
};

/// How often a model may be asked to decide in a whole run: a bound for what a forgotten field can cost.
const MOST_MIND_CALLS: u32 = 2_000;
/// The largest field file.
const LARGEST_BYTES: usize = 512 * 1024;

/// A field as it was read.
#[derive(Debug)]
pub(crate) struct FoundField {
    name: Name,
    text: String,
    pub(crate) plan: FieldPlan,
    /// The sheets of its people, in their order.
    pub(crate) sheets: Vec<(Name, String)>,
}

/// Which links are followed: none that lead out of the project of a server.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldLinks {
    Followed,
    WithinProject,
}

/// Reads a field file and the sheets of its people.
pub(crate) fn find_field(
    file: &Path,
    cast_dir: Option<&Path>,
    links: FieldLinks,
) -> Result<FoundField, Problem> {
    let home = file.parent().filter(|home| !home.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if file.is_dir() {
        return Err(Problem::config("this is a folder")
            .in_file(file.display())
            .hint(format!("did you mean '{}'?", file.join("field.md").display())));
    }
    let project = std::path::absolute(home).unwrap_or_else(|_| home.to_owned());
    let text = match links {
        FieldLinks::WithinProject => project_files::read_within(&project, file, LARGEST_BYTES)?,
        FieldLinks::Followed => std::fs::read_to_string(file)
            .map_err(|error| Problem::config(format!("cannot be read: {error}")).in_file(file.display()))?,
    };
    // A file called `field.md` is named for its folder.
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("field");
    let folder = project.file_name().and_then(|name| name.to_str()).unwrap_or("field");
    let name = Name::new(if stem == "field" { folder } else { stem }).or_else(|_| Name::new("field"));
    let name = name.map_err(|error| Problem::config(error.to_string()))?;
    let plan = read_field(&text, name.as_str()).map_err(|problem| problem.in_file(file.display()))?;
    let with_sheet: Vec<Name> = plan
        .people
        .iter()
        .filter(|person| person.about.is_none())
        .map(|person| person.name.clone())
        .collect();
    let mut sheets = Vec::new();
    if !with_sheet.is_empty() {
        let dir = cast_dir.map(Path::to_owned).or_else(|| project_files::find_cast_dir(home));
        let dir = dir.ok_or_else(|| project_files::no_cast_dir(home, &with_sheet))?;
        let within = project_files::project_of(&dir).to_owned();
        let links = match links {
            FieldLinks::Followed => SheetLinks::Followed,
            FieldLinks::WithinProject => {
                SheetLinks::Within { folder: &within, hint: "put the sheet itself there" }
            }
        };
        sheets = project_files::load_sheets(&dir, &with_sheet, links)?;
    }
    for person in &plan.people {
        if let Some(about) = &person.about {
            sheets.push((person.name.clone(), sheet_of(&person.display, about)));
        }
    }
    Ok(FoundField { name, text, plan, sheets })
}

/// What is wanted of a run beside its field.
#[derive(Debug)]
pub(crate) struct FieldOptions<'a> {
    pub(crate) config: &'a Config,
    pub(crate) model: Option<&'a str>,
    pub(crate) seed: Option<u64>,
    pub(crate) minutes: Option<u32>,
    pub(crate) speed: u32,
    pub(crate) check: bool,
    /// The model that decides, and how often in a minute.
    pub(crate) minds: Option<(&'a str, u32)>,
    pub(crate) budget: Budget,
    pub(crate) watched: Option<&'a str>,
}

/// A field that can be played.
#[derive(Debug)]
pub(crate) struct PreparedField {
    pub(crate) setup: FieldSetup,
    pub(crate) models: BTreeMap<String, Arc<dyn Model>>,
}

/// Checks and resolves everything. Nothing is written yet, and no model is asked.
pub(crate) async fn prepare(
    found: FoundField,
    options: FieldOptions<'_>,
    factory: &ModelFactory<'_>,
) -> Result<PreparedField, Problem> {
    let default = options.config.default.as_deref().unwrap_or(IMPROVISER);
    let mut models: BTreeMap<String, Arc<dyn Model>> = BTreeMap::new();
    let mut kept: BTreeMap<String, String> = BTreeMap::new();
    let mut make = async |name: &str, task: &str| -> Result<String, Problem> {
        if name == HUMAN {
            return Err(Problem::config(format!("'{HUMAN}' is for scenes: nobody can be in a whole field")));
        }
        if let Some(kept_as) = kept.get(name) {
            return Ok(kept_as.clone());
        }
        let (kept_as, model) = factory.make(name, task).await.map_err(problem_of)?;
        models.insert(kept_as.clone(), model);
        kept.insert(name.to_owned(), kept_as.clone());
        Ok(kept_as)
    };
    let mut cast = Vec::new();
    for (name, text) in &found.sheets {
        let sheet = Sheet::read(name.as_str(), text)?;
        let wanted = match options.model {
            Some(model) => model,
            None => options.config.model_of_sheet(&sheet)?.unwrap_or(default),
        };
        let model = make(wanted, &format!("plays {name}")).await?;
        cast.push(FieldRole {
            name: name.clone(),
            display: sheet.display.clone(),
            sheet: text.clone(),
            model,
        });
    }
    check_cast(&cast)?;
    let model = make(options.model.unwrap_or(default), "plays those who come later").await?;
    let mut minds = None;
    if let Some((name, calls_per_minute)) = options.minds {
        if name == IMPROVISER {
            return Err(Problem::config("the improviser only talks: rules decide already")
                .hint("leave --minds out, or name a language model"));
        }
        let model = make(name, "decides for people").await?;
        minds = Some(FieldMinds { model, calls_per_minute, most_calls: MOST_MIND_CALLS });
    }
    let is_known = |name: &str| cast.iter().any(|role: &FieldRole| role.display.eq_ignore_ascii_case(name));
    if let Some(name) = options.watched.filter(|name| !is_known(name)) {
        let known = cast.iter().map(|role| role.display.as_str());
        return Err(
            Problem::config(format!("nobody here is called '{}'", name.escape_debug())).suggest(name, known)
        );
    }
    let cards = factory.add_fallbacks(&mut models).await?;
    let run = new_run();
    let setup = FieldSetup {
        run,
        name: found.name,
        file: found.text,
        rules: RULES_VERSION,
        cast,
        models: cards,
        model,
        seed: options.seed.unwrap_or_else(|| seed_of(run)),
        minutes: options.minutes.or(found.plan.minutes).unwrap_or(DEFAULT_MINUTES),
        speed: options.speed,
        check: options.check,
        minds,
        budget: options.budget,
        watched: options.watched.map(str::to_owned),
        remembered: BTreeMap::new(),
    };
    setup.plan()?;
    setup.check_budget()?;
    Ok(PreparedField { setup, models })
}
