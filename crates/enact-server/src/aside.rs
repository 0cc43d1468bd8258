//! Work that takes long enough to hold others up.

/// Does something on a thread of its own: milliseconds of computing, in which a thread that also brings events to their
/// readers must not be held up.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}
