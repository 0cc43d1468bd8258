//! `GET` and `PUT /v1/project/{kind}/{name}`: sheets and scenes as the project has them, where the operator lets
//! them be written (`--edit`).
//!
//! Names are plain, so that no request names a path. What is written replaces the file at once or not at all, and
//! only the version that its writer has read (`If-Match`).

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use axum::{
    Json as JsonResponse,
    extract::State,
    http::{
        HeaderMap, HeaderName, StatusCode,
        header::{ETAG, IF_MATCH, IF_NONE_MATCH},
    },
    response::{IntoResponse, Response},
};
use enact_drama::{
    Name, Problem,
    scene::{SceneFormat, read_scene},
    sheet::{LARGEST_SHEET_BYTES, Sheet},
};
use enact_engine::{outputs::scratch_file_with_umask, project_files::read_within, run_blocking};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use utoipa::ToSchema;

use super::SceneState;
use crate::{
    error::{ApiError, ErrorCode, OwnCode},
    extract::{Json, PathParams, header},
};

pub(super) const EDITING_OFF: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "EDITING_OFF",
    status: StatusCode::FORBIDDEN,
    meaning: "The server was started without `--edit`: its project is not written over HTTP.",
});
pub(super) const NO_SUCH_FILE: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NO_SUCH_FILE",
    status: StatusCode::NOT_FOUND,
    meaning: "The project has no sheet or scene of this name.",
});
pub(super) const FILE_CHANGED: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "FILE_CHANGED",
    status: StatusCode::PRECONDITION_FAILED,
    meaning: "The file is not the version that `If-Match` names: read it again.",
});
pub(super) const IF_MATCH_REQUIRED: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "IF_MATCH_REQUIRED",
    status: StatusCode::PRECONDITION_REQUIRED,
    meaning: "The file is there already: `If-Match` has to name the version that is replaced.",
});

/// A scene is a page or two.
const LARGEST_SCENE_BYTES: usize = 1024 * 1024;
/// How much of a digest an `ETag` holds.
const ETAG_BYTES: usize = 12;

/// One writer at a time, so that nobody writes between another's look at the version and the replacement.
static WRITING: Mutex<()> = Mutex::new(());

/// What can be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditedKind {
    Sheets,
    Scenes,
}

/// Where a sheet or a scene is, or would be.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Nothing outside of it is read or written.
    pub project: PathBuf,
    pub path: PathBuf,
}

#[derive(Debug, Deserialize)]
pub(super) struct EditedPath {
    kind: String,
    name: String,
}

/// A sheet or a scene, word for word.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditedText {
    kind: EditedKind,
    #[schema(example = "alice")]
    name: String,
    #[schema(example = "# Alice - Project Manager\n\n## Personality\n- Calm until deadlines are near\n")]
    text: String,
}

/// What it is to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a text")]
pub(super) struct NewText {
    text: String,
}

/// Read a sheet or a scene
///
/// As the project has it, for those who edit it: `ETag` is its version. Needs a server with `--edit`.
#[utoipa::path(
    get, path = "/v1/project/{kind}/{name}", operation_id = "getProjectFile", tag = "runs",
    params(("kind" = EditedKind, Path, description = "`sheets` or `scenes`."),
           ("name" = String, Path, pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$", description = "Its plain name.")),
    responses((status = 200, description = "The text.", body = EditedText,
               headers(("ETag" = String, description = "Its version.")))),
)]
pub(super) async fn get_file(
    State(state): State<SceneState>,
    PathParams(path): PathParams<EditedPath>,
) -> Result<Response, ApiError> {
    let (kind, name, file) = locate(&state, &path).await?;
    let found = run_blocking(move || read(&file, kind)).await?;
    let text = found.ok_or_else(|| missing(kind, &name))?;
    let headers = [(ETAG, etag(&text))];
    Ok((headers, JsonResponse(EditedText { kind, name: name.to_string(), text })).into_response())
}

/// Write a sheet or a scene
///
/// Replaces it at once or not at all. One that is there already is replaced only with `If-Match`, and only if that
/// names the version it has: without it 428, otherwise 412. What cannot be read as a sheet or a scene is refused,
/// with the place of the mistake. Needs a server with `--edit`.
#[utoipa::path(
    put, path = "/v1/project/{kind}/{name}", operation_id = "putProjectFile", tag = "runs", request_body = NewText,
    params(("kind" = EditedKind, Path, description = "`sheets` or `scenes`."),
           ("name" = String, Path, pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$", description = "Its plain name."),
           ("If-Match" = Option<String>, Header, description = "The `ETag` of the version that is replaced."),
           ("If-None-Match" = Option<String>, Header, description = "`*`: only if there is none yet.")),
    responses((status = 200, description = "It is replaced.", body = EditedText,
               headers(("ETag" = String, description = "Its version now."))),
              (status = 201, description = "It is there now.", body = EditedText,
               headers(("ETag" = String, description = "Its version.")))),
)]
pub(super) async fn put_file(
    State(state): State<SceneState>,
    PathParams(path): PathParams<EditedPath>,
    headers: HeaderMap,
    Json(NewText { text }): Json<NewText>,
) -> Result<Response, ApiError> {
    let (kind, name, file) = locate(&state, &path).await?;
    check(kind, &name, &text)?;
    let named =
        |header_name: HeaderName| header(&headers, header_name.as_str()).map(|tag| tag.map(str::to_owned));
    let (expected, only_new) = (named(IF_MATCH)?, named(IF_NONE_MATCH)?);
    let written = text.clone();
    // Once begun it goes on, also where the client leaves: so the lock belongs to the work, not to the request.
    let status = run_blocking(move || {
        let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        write(&file, kind, &written, expected.as_deref(), only_new.is_some())
    })
    .await?;
    let headers = [(ETAG, etag(&text))];
    Ok((status, headers, JsonResponse(EditedText { kind, name: name.to_string(), text })).into_response())
}

/// Writes the file if it is the version that is expected, or is there not yet.
fn write(
    file: &ProjectFile,
    kind: EditedKind,
    text: &str,
    expected: Option<&str>,
    only_new: bool,
) -> Result<StatusCode, ApiError> {
    let before = read(file, kind)?;
    let is_version = |expected: &str| {
        let version = before.as_deref().map(etag);
        expected
            .split(',')
            .map(str::trim)
            .any(|tag| version.as_deref() == Some(tag) || (tag == "*" && before.is_some()))
    };
    match (&before, expected) {
        (_, Some(expected)) if !is_version(expected) => {
            return Err(ApiError::new(FILE_CHANGED, "somebody else has changed it since it was read")
                .hint("read it again, and make your change there"));
        }
        (Some(_), _) if only_new => return Err(exists_already()),
        (Some(_), None) => {
            return Err(ApiError::new(IF_MATCH_REQUIRED, "it is there already")
                .hint("send its ETag as If-Match, to say which version is replaced"));
        }
        _ => {}
    }
    if before.is_some() {
        replace(file, text).map_err(cannot_write)?;
        return Ok(StatusCode::OK);
    }
    create(file, text).map_err(|error| match error.kind() {
        // Programs other than this one write here too.
        io::ErrorKind::AlreadyExists => exists_already(),
        _ => cannot_write(error),
    })?;
    Ok(StatusCode::CREATED)
}

fn exists_already() -> ApiError {
    ApiError::new(FILE_CHANGED, "there is one of this name already")
}

/// Where it is; a refusal where nothing may be edited.
async fn locate(state: &SceneState, path: &EditedPath) -> Result<(EditedKind, Name, ProjectFile), ApiError> {
    let kind = match path.kind.as_str() {
        "sheets" => EditedKind::Sheets,
        "scenes" => EditedKind::Scenes,
        _ => return Err(ApiError::new(ErrorCode::NoSuchRoute, "a project has sheets and scenes")),
    };
    let name = Name::new(path.name.clone()).map_err(|error| {
        ApiError::new(NO_SUCH_FILE, format!("a name {error}"))
            .with("name", path.name.escape_debug().to_string())
    })?;
    let file = state.preparer.edited(kind, &name).await.ok_or_else(|| {
        ApiError::new(EDITING_OFF, "sheets and scenes are not edited here")
            .hint("start the server with --edit")
    })?;
    Ok((kind, name, file))
}

fn missing(kind: EditedKind, name: &Name) -> ApiError {
    let what = if kind == EditedKind::Sheets { "sheet" } else { "scene" };
    ApiError::new(NO_SUCH_FILE, format!("the project has no {what} '{name}'"))
}

fn most_bytes(kind: EditedKind) -> usize {
    match kind {
        EditedKind::Sheets => LARGEST_SHEET_BYTES,
        EditedKind::Scenes => LARGEST_SCENE_BYTES,
    }
}

/// Whether a text can be read as what it is to be.
fn check(kind: EditedKind, name: &Name, text: &str) -> Result<(), ApiError> {
    let most = most_bytes(kind);
    if text.len() > most {
        return Err(ApiError::new(ErrorCode::TooLarge, format!("it is larger than {} KiB", most / 1024)));
    }
    let read: Result<(), Problem> = match kind {
        EditedKind::Sheets => Sheet::read(name.as_str(), text).map(drop),
        EditedKind::Scenes => {
            read_scene(text, SceneFormat::Markdown { default_name: name.as_str() }).map(drop)
        }
    };
    Ok(read?)
}

/// What stands there, if there is anything.
fn read(file: &ProjectFile, kind: EditedKind) -> Result<Option<String>, ApiError> {
    match fs::symlink_metadata(&file.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => Ok(Some(read_within(&file.project, &file.path, most_bytes(kind))?)),
    }
}

/// Puts a file where there is none.
fn create(file: &ProjectFile, text: &str) -> io::Result<()> {
    let folder = file.path.parent().unwrap_or(Path::new("."));
    // Before a folder is made: its parent may be a link out of the project.
    let there = folder.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(folder);
    check_within(file, there)?;
    fs::create_dir_all(folder)?;
    check_within(file, folder)?;
    written_beside(folder, text)?.persist_noclobber(&file.path)?;
    Ok(())
}

/// Writes beside the file and puts that in its place. A link is not written through: what it leads to may be
/// somebody else's.
fn replace(file: &ProjectFile, text: &str) -> io::Result<()> {
    let folder = file.path.parent().unwrap_or(Path::new("."));
    check_within(file, folder)?;
    let about = fs::symlink_metadata(&file.path)?;
    if !about.is_file() {
        return Err(io::Error::other("it is a link, or no file"));
    }
    let written = written_beside(folder, text)?;
    fs::set_permissions(written.path(), about.permissions())?;
    written.persist(&file.path)?;
    Ok(())
}

fn check_within(file: &ProjectFile, folder: &Path) -> io::Result<()> {
    match folder.canonicalize()?.starts_with(file.project.canonicalize()?) {
        true => Ok(()),
        false => Err(io::Error::other("the folder is a link out of the project")),
    }
}

fn written_beside(folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut written = scratch_file_with_umask(folder)?;
    io::Write::write_all(&mut written, text.as_bytes())?;
    written.as_file().sync_all()?;
    Ok(written)
}

fn cannot_write(error: io::Error) -> ApiError {
    ApiError::internal("it could not be written; the server's log says why", error.to_string())
}

/// A version, as the header has it.
fn etag(text: &str) -> String {
    let hex: String =
        Sha256::digest(text).iter().take(ETAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(project: &Path, path: &str) -> ProjectFile {
        ProjectFile { project: project.to_owned(), path: project.join(path) }
    }

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let sheet = file(folder.path(), "agents/alice.md");
        for (text, put) in [("# Alice\n", create as fn(&_, &_) -> _), ("# Alice - Pilot\n", replace)] {
            put(&sheet, text).unwrap();
            assert_eq!(read(&sheet, EditedKind::Sheets).unwrap().as_deref(), Some(text));
        }
        assert_eq!(fs::read_dir(sheet.path.parent().unwrap()).unwrap().count(), 1);
        assert_eq!(read(&file(folder.path(), "agents/bob.md"), EditedKind::Sheets).unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        use std::os::unix::fs::symlink;
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("secret.md"), "# Secret").unwrap();
        symlink(outside.path().join("secret.md"), folder.path().join("alice.md")).unwrap();
        symlink(outside.path(), folder.path().join("scenes")).unwrap();
        assert!(read(&file(folder.path(), "alice.md"), EditedKind::Sheets).is_err());
        assert!(replace(&file(folder.path(), "alice.md"), "# Mine").is_err());
        assert!(create(&file(folder.path(), "scenes/new.md"), "x").is_err());
        assert!(create(&file(folder.path(), "scenes/deeper/new.md"), "x").is_err());
        assert!(!outside.path().join("deeper").exists(), "nothing is made outside");
        assert_eq!(fs::read_to_string(outside.path().join("secret.md")).unwrap(), "# Secret");
        assert!(!outside.path().join("new.md").exists());
    }

    /// Another program makes the file after this one has seen that there is none.
    #[test]
    fn of_two_who_make_a_file_the_second_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let sheet = file(folder.path(), "alice.md");
        fs::write(&sheet.path, "# Theirs\n").unwrap();
        assert_eq!(create(&sheet, "# Mine\n").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&sheet.path).unwrap(), "# Theirs\n");
        let refused = write(&sheet, EditedKind::Sheets, "# Mine\n", None, true).unwrap_err();
        assert_eq!(refused.code, FILE_CHANGED);
    }

    #[test]
    fn what_cannot_be_read_is_not_written() {
        let name = Name::new("alice").unwrap();
        for (kind, text, fine) in [
            (EditedKind::Sheets, "# Alice\n", true),
            (EditedKind::Sheets, "---\nname: [1\n---\n# Alice\n", false),
            (EditedKind::Scenes, "---\ncharacters: [a, b]\n---\nThey talk.\n", true),
            (EditedKind::Scenes, "---\ncharacters: [a, b]\nmaxBeats: many\n---\nThey talk.\n", false),
        ] {
            assert_eq!(check(kind, &name, text).is_ok(), fine, "{kind:?} {text:?}");
        }
        let large = "x".repeat(LARGEST_SHEET_BYTES + 1);
        assert_eq!(check(EditedKind::Sheets, &name, &large).unwrap_err().code, ErrorCode::TooLarge);
    }
}
