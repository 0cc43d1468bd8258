//! Work that blocks, kept off the threads that play runs and send events.

/// Runs files or milliseconds of computation on a thread for blocking work. A panic of the work goes on in the
/// caller.
pub async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(lost) => match lost.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime shuts down, and drops the caller as well.
            Err(_) => std::future::pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    #[should_panic(expected = "out of cheese")]
    async fn a_panic_is_the_callers_too() {
        run_blocking(|| panic!("out of cheese")).await
    }
}
