//! Artifacts that several nodes share: a store of objects beside each node's own folder.
//!
//! The folder stays where files are made and served from. What lies in the store is what counts: a file is
//! shared before it is announced, and a node that lacks one fetches it.

use std::{
    fmt::Debug,
    fs::{self, File},
    io,
    path::PathBuf,
    sync::Arc,
    time::SystemTime,
};

use async_trait::async_trait;
use futures::{TryStreamExt, stream::BoxStream};
use tokio::task::spawn_blocking;

use super::{Artifacts, Error, FileWritten, split_path};

#[cfg(test)]
pub(super) mod tests;

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfPresent {
    Replace,
    Keep,
}

/// A file that is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFile {
    pub path: String,
    pub changed: SystemTime,
}

/// A store of objects that several nodes share.
///
/// Implementers promise:
/// * **Whole files:** what `put` has returned from was read back before it got its name, and `get` gives all
///   of it. Before that there is nothing, or what was there before.
/// * **One winner:** of several who `put` with [`IfPresent::Keep`], one is told that its file is new.
/// * **Order:** `list` goes by path.
#[async_trait]
pub trait SharedArtifacts: Debug + Send + Sync {
    /// What it is, for people: an address without a key.
    fn description(&self) -> String;

    async fn put(&self, path: &str, bytes: Vec<u8>, present: IfPresent) -> io::Result<FileWritten>;

    /// All of a file, and when it last changed; nothing if there is none.
    async fn get(&self, path: &str) -> io::Result<Option<(Vec<u8>, SystemTime)>>;

    /// Removes a file; where there is none, nothing happens.
    async fn remove(&self, path: &str) -> io::Result<()>;

    /// Everything below a folder; everything there is below an empty path.
    fn list(&self, folder: &str) -> BoxStream<'static, io::Result<SharedFile>>;

    /// Whether anything could be kept here.
    async fn check(&self) -> io::Result<()> {
        self.put(PROBE, b"enact".to_vec(), IfPresent::Replace).await?;
        self.remove(PROBE).await
    }
}

/// A file that says whether files can be kept.
const PROBE: &str = "_check";

impl Artifacts {
    /// Shares what is kept with other nodes.
    pub fn shared_in(self, shared: Arc<dyn SharedArtifacts>) -> Artifacts {
        Artifacts { shared: Some(shared), ..self }
    }

    /// Shares a recording that lies here, or takes the one that another node has shared before: that one may
    /// have been announced. Says whose it is.
    pub(crate) async fn share(&self, path: &str) -> Result<FileWritten, Error> {
        let Some(shared) = &self.shared else { return Ok(FileWritten::New) };
        let at = |error| Error::Io { path: path.to_owned(), error };
        let place = self.find_here(path).await?;
        let bytes = spawn_blocking(move || fs::read(place)).await.map_err(io::Error::other).flatten();
        let written = shared.put(path, bytes.map_err(at)?, IfPresent::Keep).await.map_err(at)?;
        if written == FileWritten::Existed {
            self.take_shared(path).await?;
        }
        Ok(written)
    }

    /// Keeps a text, here and where it is shared.
    pub async fn write_text(&self, path: &str, text: String) -> Result<(), Error> {
        let bytes = text.into_bytes();
        self.write_here(path, bytes.clone()).await?;
        match &self.shared {
            Some(shared) => {
                let written = shared.put(path, bytes, IfPresent::Replace).await;
                written.map(drop).map_err(|error| Error::Io { path: path.to_owned(), error })
            }
            None => Ok(()),
        }
    }

    /// Where a file lies on this machine, fetched if only others have it.
    pub async fn fetch(&self, path: &str) -> Result<PathBuf, Error> {
        match self.find_here(path).await {
            Err(Error::NotFound(_)) if self.shared.is_some() => self.take_shared(path).await,
            found => found,
        }
    }

    /// The same for a file that changes: the one that was shared last.
    pub async fn fetch_newest(&self, path: &str) -> Result<PathBuf, Error> {
        match self.shared {
            Some(_) => self.take_shared(path).await,
            None => self.find_here(path).await,
        }
    }

    /// Removes everything below a path, here and where it is shared.
    pub async fn remove_everywhere(&self, folder: &str) -> Result<(), Error> {
        let at = |error| Error::Io { path: folder.to_owned(), error };
        let (here, below) = (self.clone(), folder.to_owned());
        spawn_blocking(move || here.remove_all(&below))
            .await
            .map_err(|lost| at(io::Error::other(lost)))??;
        let Some(shared) = &self.shared else { return Ok(()) };
        let files: Vec<SharedFile> = shared.list(folder).try_collect().await.map_err(at)?;
        for file in files {
            shared.remove(&file.path).await.map_err(at)?;
        }
        Ok(())
    }

    async fn take_shared(&self, path: &str) -> Result<PathBuf, Error> {
        split_path(path)?;
        let not_found = || Error::NotFound(path.to_owned());
        let shared = self.shared.as_ref().ok_or_else(not_found)?;
        let found = shared.get(path).await.map_err(|error| Error::Io { path: path.to_owned(), error })?;
        let (bytes, changed) = found.ok_or_else(not_found)?;
        self.write_here(path, bytes).await?;
        let place = self.find_here(path).await?;
        // As old here as there, so that it is removed when that is.
        let dated = place.clone();
        let _ = spawn_blocking(move || File::options().write(true).open(dated)?.set_modified(changed)).await;
        Ok(place)
    }

    async fn write_here(&self, path: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let (artifacts, place) = (self.clone(), path.to_owned());
        let written = spawn_blocking(move || artifacts.write(&place, &bytes, |_| Ok(())));
        let lost = |lost| Error::Io { path: path.to_owned(), error: io::Error::other(lost) };
        written.await.unwrap_or_else(|error| Err(lost(error)))
    }

    async fn find_here(&self, path: &str) -> Result<PathBuf, Error> {
        let (artifacts, place) = (self.clone(), path.to_owned());
        let found = spawn_blocking(move || artifacts.find(&place));
        let lost = |lost| Error::Io { path: path.to_owned(), error: io::Error::other(lost) };
        found.await.unwrap_or_else(|error| Err(lost(error)))
    }
}
