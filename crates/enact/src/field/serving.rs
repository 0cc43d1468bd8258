//! Fields on a server: those of the project that it serves.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use enact_drama::{Problem, did_you_mean, field::FieldSetup};
use enact_server::{FieldRoutes, field::PrepareField, productions::ServerProduction};
use serde_json::{Value, json};

use super::{
    args::DEFAULT_MIND_CALLS,
    prepare::{FieldLinks, FieldOptions, find_field, prepare},
};
use crate::ServedProject;

/// The part of a server that plays fields.
pub(super) fn server(project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
    let fields = fields_below(Path::new("."));
    Ok(Arc::new(FieldRoutes::new(Arc::new(FieldPreparer { project: Arc::clone(project), fields }))))
}

/// Prepares the fields of requests.
#[derive(Debug)]
struct FieldPreparer {
    project: Arc<ServedProject>,
    /// By name.
    fields: Vec<(String, PathBuf)>,
}

/// `field.md` of a folder and of those right below it, and the files in its `fields`.
fn fields_below(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let entries = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    if folder.join("field.md").is_file() {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        found.push((name(&absolute), folder.join("field.md")));
    }
    for path in entries(folder) {
        if path.join("field.md").is_file() {
            found.push((name(&path), path.join("field.md")));
        }
    }
    for path in entries(&folder.join("fields")) {
        if let Some(stem) = name(&path).strip_suffix(".md") {
            found.push((stem.to_owned(), path));
        }
    }
    found
}

#[async_trait]
impl PrepareField for FieldPreparer {
    async fn fields(&self) -> Vec<Value> {
        let fields = self.fields.clone();
        let told = move || {
            let read = fields.into_iter().filter_map(|(name, file)| {
                let plan = find_field(&file, None, FieldLinks::WithinProject).ok()?.plan;
                let people: Vec<String> = plan.people.iter().map(|person| person.name.to_string()).collect();
                Some(json!({"name": name, "title": plan.title, "people": people, "minutes": plan.minutes}))
            });
            read.collect::<Vec<Value>>()
        };
        tokio::task::spawn_blocking(told).await.unwrap_or_default()
    }

    async fn begin(
        &self,
        name: &str,
        options: enact_server::field::FieldWish,
    ) -> Result<FieldSetup, Problem> {
        let found = self.fields.iter().find(|(known, _)| known == name).ok_or_else(|| {
            let known: Vec<&str> = self.fields.iter().map(|(name, _)| name.as_str()).collect();
            let hint = match did_you_mean(name, known.iter().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("there are: {}", known.join(", ")),
            };
            Problem::config(format!("there is no field '{}'", name.escape_debug())).hint(hint)
        })?;
        let (file, cast_dir) = (found.1.clone(), self.project.cast_dir().map(Path::to_owned));
        let read = move || find_field(&file, cast_dir.as_deref(), FieldLinks::WithinProject);
        let found = tokio::task::spawn_blocking(read).await;
        let found = found.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()));
        let found = found.map_err(|problem| self.project.redact_for_caller(problem))?;
        let mind_model = self.project.options().mind_model.as_deref();
        let options = FieldOptions {
            config: self.project.config(),
            model: None,
            seed: options.seed,
            minutes: options.minutes,
            speed: options.speed.unwrap_or(1),
            check: false,
            minds: mind_model.map(|model| (model, DEFAULT_MIND_CALLS)),
            budget: self.project.config().serve.budget(),
            watched: options.watch.as_deref(),
        };
        let prepared = prepare(found, options, &self.project.model_factory()).await;
        prepared.map(|prepared| prepared.setup).map_err(|problem| self.project.redact_for_caller(problem))
    }
}
