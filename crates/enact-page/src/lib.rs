//! The web page: what browsers are sent, as it is written.
//!
//! There is no build step. `files/` holds ES modules, styles and one HTML document, and what stands there is
//! what is served: embedded in the program ([`PageFiles::embedded`]), or from a folder while the page is being
//! worked on ([`PageFiles::in_folder`]). This crate knows nothing of HTTP, runs or productions.
//!
//! [`offline`] makes one HTML file of a run that shows it with the same modules, from disk.
//!
//! Read in this order: this file, [`offline`], then `files/README.md`.

mod embedded;
pub mod offline;

use std::{
    collections::HashMap,
    fmt, fs,
    io::Write,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

/// The document that every screen begins with.
pub const SHELL: &str = "index.html";

/// How much of a digest an `ETag` holds: enough that no two versions of a file share one.
const ETAG_BYTES: usize = 12;

/// A file as it is sent.
#[derive(Clone)]
pub struct ServedFile {
    pub content_type: &'static str,
    pub bytes: Bytes,
    /// The same, compressed; nothing where that would not be smaller.
    pub gzip: Option<Bytes>,
    /// In quotation marks, as the header has it.
    pub etag: String,
}

impl fmt::Debug for ServedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServedFile({}, {} bytes)", self.content_type, self.bytes.len())
    }
}

/// All files of the page.
#[derive(Debug, Clone, Default)]
pub struct PageFiles {
    /// Read anew for every request; the embedded ones if there is none.
    folder: Option<Arc<PathBuf>>,
}

impl PageFiles {
    /// Those that the program was built with.
    pub fn embedded() -> PageFiles {
        PageFiles::default()
    }

    /// Those of a folder as they are now, for people who work on the page.
    pub fn in_folder(folder: PathBuf) -> PageFiles {
        PageFiles { folder: Some(Arc::new(folder)) }
    }

    /// The file with this path: `lib/html.js`.
    pub fn get(&self, path: &str) -> Option<ServedFile> {
        let Some(folder) = &self.folder else { return embedded_files().get(path).cloned() };
        let bytes = is_plain(path).then(|| fs::read(folder.join(path)).ok())??;
        ServedFile::new(path, bytes.into())
    }
}

/// Whether a path names a file below a folder, by plain names only.
fn is_plain(path: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    path.split('/').all(plain)
}

impl ServedFile {
    /// Nothing for a file of a kind that is not served.
    fn new(path: &str, bytes: Bytes) -> Option<ServedFile> {
        let content_type = match path.rsplit_once('.')?.1 {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => return None,
        };
        let digest = Sha256::digest(&bytes);
        let hex: String = digest.iter().take(ETAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
        let gzip = gzip(&bytes).filter(|small| small.len() < bytes.len());
        Some(ServedFile { content_type, bytes, gzip, etag: format!("\"{hex}\"") })
    }
}

fn gzip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Compressed once, when the first of them is asked for: some ten milliseconds.
fn embedded_files() -> &'static HashMap<&'static str, ServedFile> {
    static FILES: OnceLock<HashMap<&'static str, ServedFile>> = OnceLock::new();
    FILES.get_or_init(|| {
        let made = |(path, bytes): &(&'static str, &'static [u8])| {
            Some((*path, ServedFile::new(path, Bytes::from_static(bytes))?))
        };
        embedded::FILES.iter().filter_map(made).collect()
    })
}

#[cfg(test)]
mod tests;
