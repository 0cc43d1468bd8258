//! Audio in an S3-compatible store, for nodes that share a database and no folder.

use std::{
    io,
    sync::Arc,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use enact_drama::Problem;
use enact_engine::artifacts::{FileWritten, IfPresent, SharedArtifacts, SharedFile};
use futures::{StreamExt, stream::BoxStream};
use object_store::{
    Error, ObjectStore, ObjectStoreExt, RetryConfig,
    aws::{AmazonS3Builder, S3CopyIfNotExists},
    path::Path,
};
use uuid::Uuid;

use super::SCHEME;

/// Where files are until they have been read back. A lifecycle rule may remove what processes that died left.
const SCRATCH: &str = "_scratch";

/// Time for all tries of one call. A client that waits for audio waits as long.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_RETRIES: usize = 4;

/// The store's own way to copy without replacing, if it is not Amazon's.
const COPY_IF_NOT_EXISTS: &str = "AWS_COPY_IF_NOT_EXISTS";

/// A bucket, or what lies below a prefix in it.
#[derive(Debug)]
struct Bucket {
    store: Arc<dyn ObjectStore>,
    address: String,
    prefix: Path,
}

/// Connects to `s3://bucket/prefix`. Keys, region and endpoint come from the usual variables (`AWS_…`).
/// Nothing is sent yet.
pub(super) fn connect(address: &str) -> Result<Arc<dyn SharedArtifacts>, Problem> {
    let refused = |why: String| {
        let problem = Problem::config(format!("audio cannot be kept at '{address}': {why}"));
        problem
            .hint("AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT say how to reach it")
    };
    let place = address.strip_prefix(SCHEME).unwrap_or(address);
    let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
    let retries =
        RetryConfig { max_retries: MAX_RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retries);
    if std::env::var_os(COPY_IF_NOT_EXISTS).is_none() {
        builder = builder.with_copy_if_not_exists(S3CopyIfNotExists::Multipart);
    }
    enact_http::install_tls_provider();
    let store = builder.build().map_err(|error| refused(error.to_string()))?;
    let prefix = Path::parse(prefix).map_err(|error| refused(error.to_string()))?;
    Ok(Arc::new(Bucket { store: Arc::new(store), address: address.to_owned(), prefix }))
}

impl Bucket {
    fn key(&self, path: &str) -> Path {
        path.split('/').filter(|part| !part.is_empty()).fold(self.prefix.clone(), |key, part| key.join(part))
    }

    /// Reads a scratch file back and gives it its name.
    async fn move_into_place(
        &self,
        scratch: &Path,
        path: &str,
        bytes: &[u8],
        present: IfPresent,
    ) -> io::Result<FileWritten> {
        let back = self.store.get(scratch).await.map_err(failed)?.bytes().await.map_err(failed)?;
        if back != bytes {
            return Err(io::Error::other("what was written cannot be read back"));
        }
        let place = self.key(path);
        let moved = match present {
            IfPresent::Replace => self.store.copy(scratch, &place).await,
            IfPresent::Keep => self.store.copy_if_not_exists(scratch, &place).await,
        };
        match moved {
            Ok(()) => Ok(FileWritten::New),
            Err(Error::AlreadyExists { .. }) => Ok(FileWritten::Existed),
            Err(error) => Err(failed(error)),
        }
    }
}

#[async_trait]
impl SharedArtifacts for Bucket {
    fn description(&self) -> String {
        self.address.clone()
    }

    async fn put(&self, path: &str, bytes: Vec<u8>, present: IfPresent) -> io::Result<FileWritten> {
        let scratch = self.key(&format!("{SCRATCH}/{}", Uuid::now_v7()));
        self.store.put(&scratch, bytes.clone().into()).await.map_err(failed)?;
        let moved = self.move_into_place(&scratch, path, &bytes, present).await;
        // A scratch file that stays is never read.
        let _ = self.store.delete(&scratch).await;
        moved
    }

    async fn get(&self, path: &str) -> io::Result<Option<(Vec<u8>, SystemTime)>> {
        match self.store.get(&self.key(path)).await {
            Ok(found) => {
                let changed = found.meta.last_modified.into();
                Ok(Some((found.bytes().await.map_err(failed)?.into(), changed)))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    async fn remove(&self, path: &str) -> io::Result<()> {
        match self.store.delete(&self.key(path)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    fn list(&self, folder: &str) -> BoxStream<'static, io::Result<SharedFile>> {
        let prefix = self.prefix.clone();
        let listed = self.store.list(Some(&self.key(folder)));
        let named = move |found: object_store::Result<object_store::ObjectMeta>| match found {
            Ok(found) => {
                let parts: Vec<String> =
                    found.location.prefix_match(&prefix)?.map(|part| part.as_ref().to_owned()).collect();
                let path = parts.join("/");
                let changed = found.last_modified.into();
                (!path.starts_with(SCRATCH)).then_some(Ok(SharedFile { path, changed }))
            }
            Err(error) => Some(Err(failed(error))),
        };
        listed.filter_map(move |found| std::future::ready(named(found))).boxed()
    }
}

fn failed(error: Error) -> io::Error {
    io::Error::other(error.to_string())
}
