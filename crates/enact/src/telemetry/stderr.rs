//! `ENACT_LOG`: events on standard error, for people who look for a fault or run a server.

use std::io::stderr;

use tracing::{Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer,
    filter::Targets,
    fmt::{self, format::FmtSpan},
    registry::LookupSpan,
};

use super::OURS;

/// How much is printed: `error`, `warn`, `info`, `debug` or `trace`; `off` is as good as nothing.
const VARIABLE: &str = "ENACT_LOG";

/// The layer that prints: as much as the environment asks for, or else as much as `unasked` says.
pub(super) fn layer<S>(
    environment: impl Fn(&str) -> Option<String>,
    unasked: LevelFilter,
) -> Result<Option<Box<dyn Layer<S> + Send + Sync>>, String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let asked = environment(VARIABLE);
    // Durations only where a level was asked for.
    let spans = if asked.is_some() { FmtSpan::CLOSE } else { FmtSpan::NONE };
    let level = match asked {
        Some(level) => level.trim().parse().map_err(|_| {
            format!("{VARIABLE} is '{level}' where error, warn, info, debug, trace or off was expected")
        })?,
        None => unasked,
    };
    if level == LevelFilter::OFF {
        return Ok(None);
    }
    let layer =
        fmt::layer().with_writer(stderr).with_ansi(false).with_span_events(spans).with_filter(printed(level));
    Ok(Some(layer.boxed()))
}

/// Of libraries only warnings, whatever was asked for: below that they print requests, with the headers that
/// hold keys.
fn printed(level: LevelFilter) -> Targets {
    Targets::new().with_default(level.min(LevelFilter::WARN)).with_target(OURS, level)
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn libraries_are_quiet_whatever_was_asked_for() {
        for (asked, ours, theirs) in [
            (LevelFilter::TRACE, Some(Level::TRACE), Some(Level::WARN)),
            (LevelFilter::DEBUG, Some(Level::DEBUG), Some(Level::WARN)),
            (LevelFilter::ERROR, Some(Level::ERROR), Some(Level::ERROR)),
            (LevelFilter::OFF, None, None),
        ] {
            let printed = printed(asked);
            let most = |target| {
                let levels = [Level::TRACE, Level::DEBUG, Level::INFO, Level::WARN, Level::ERROR];
                levels.into_iter().find(|level| printed.would_enable(target, level))
            };
            assert_eq!(most("enact_engine::spans"), ours, "{asked}");
            for library in ["reqwest::connect", "hyper_util::client", "opentelemetry_sdk"] {
                assert_eq!(most(library), theirs, "{library} at {asked}");
            }
        }
    }

    #[test]
    fn what_is_not_a_level_is_said() {
        let layer =
            |value: &str| layer::<tracing_subscriber::Registry>(|_| Some(value.to_owned()), LevelFilter::OFF);
        assert!(matches!(layer("debug"), Ok(Some(_))));
        assert!(matches!(layer("off"), Ok(None)));
        assert!(layer("loud").is_err_and(|why| why.starts_with("ENACT_LOG is 'loud' where error, warn")));
    }
}
