//! Where a server keeps audio: a folder, or a store of objects that several nodes share.

#[cfg(feature = "s3")]
mod s3;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use enact_drama::Problem;
use enact_engine::{Artifacts, artifacts::SharedArtifacts};

use crate::{
    config::Config,
    store::{Location, check_artifacts},
};

/// How addresses of S3-compatible stores begin.
const SCHEME: &str = "s3://";

/// Where audio is kept: as the flag says, or the file, or else in the data folder. A path in the file is
/// meant from where it is.
///
/// What is named has to be writable: speech is wanted.
pub(crate) async fn artifacts(
    named: Option<PathBuf>,
    config: &Config,
    location: &Location,
) -> Result<Artifacts, Problem> {
    let home = config.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let written = config.serve.artifacts.clone();
    let written = written.map(|place| if address(&place).is_some() { place } else { home.join(place) });
    match named.or(written) {
        Some(place) => match address(&place) {
            Some(address) => shared(location.artifacts(), address).await,
            None => {
                let artifacts = Artifacts::in_folder(place);
                check_artifacts(&artifacts)?;
                Ok(artifacts)
            }
        },
        None => {
            let artifacts = location.artifacts();
            if location.is_shared() {
                tracing::warn!(
                    folder = %artifacts.root().display(),
                    "audio is kept on this machine alone: nodes that share a database need --artifacts, a folder or a bucket they share too",
                );
            }
            Ok(artifacts)
        }
    }
}

/// The address of a store, if this is one.
fn address(place: &Path) -> Option<&str> {
    place.to_str().filter(|place| place.starts_with(SCHEME))
}

/// The folder is where files are made, and served from.
async fn shared(folder: Artifacts, address: &str) -> Result<Artifacts, Problem> {
    check_artifacts(&folder)?;
    let store = connect(address)?;
    store.check().await.map_err(|error| {
        Problem::config(format!("audio cannot be kept at '{address}': {error}"))
            .hint("does the bucket exist, and may its key write there?")
    })?;
    Ok(folder.shared_in(store))
}

#[cfg(feature = "s3")]
fn connect(address: &str) -> Result<Arc<dyn SharedArtifacts>, Problem> {
    s3::connect(address)
}

#[cfg(not(feature = "s3"))]
fn connect(address: &str) -> Result<Arc<dyn SharedArtifacts>, Problem> {
    Err(Problem::config(format!("this enact cannot keep audio at '{address}': it was built without S3"))
        .hint("build it with `cargo build --release --features s3`, or name a folder"))
}
