//! Where spans go: the standard OpenTelemetry variables first, then the configuration.

use reqwest::Url;

/// A collector that takes traces over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination {
    /// Where traces are posted.
    pub(super) url: Url,
    /// Where metrics are posted, unless they are switched off or only traces have an address.
    pub(super) metrics: Option<Url>,
}

/// What every collector takes traces at, below its base address.
const TRACES_PATH: &str = "/v1/traces";
const METRICS_PATH: &str = "/v1/metrics";
/// The one way to send that this program knows.
const PROTOCOL: &str = "http/protobuf";

impl Destination {
    /// Nothing if traces are not asked for. The environment wins over the configuration: it is set for this
    /// start, the file for all.
    pub(super) fn find(
        environment: impl Fn(&str) -> Option<String>,
        configured: Option<&str>,
    ) -> Result<Option<Destination>, String> {
        let is = |name: &str, value: &str| environment(name).is_some_and(|is| is.eq_ignore_ascii_case(value));
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return Ok(None);
        }
        let variable = |name: &'static str| environment(name).map(|value| (name, value));
        let address = |own: &'static str, path: &'static str| {
            if let Some((name, value)) = variable(own) {
                Some((name, value, ""))
            } else if let Some((name, value)) = variable("OTEL_EXPORTER_OTLP_ENDPOINT") {
                Some((name, value, path))
            } else {
                configured.map(|value| ("the configured address", value.to_owned(), path))
            }
        };
        let Some(traces) = address("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", TRACES_PATH) else {
            return Ok(None);
        };
        let metrics = address("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", METRICS_PATH)
            .filter(|_| !is("OTEL_METRICS_EXPORTER", "none"));
        let protocol = variable("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
            .or_else(|| variable("OTEL_EXPORTER_OTLP_PROTOCOL"))
            .filter(|(_, protocol)| protocol != PROTOCOL);
        if let Some((name, protocol)) = protocol {
            return Err(format!("{name} is '{protocol}', and only {PROTOCOL} is spoken here"));
        }
        let read = |(from, address, path): (&str, String, &str)| {
            enact_http::parse_url(&format!("{}{path}", address.trim().trim_end_matches('/')))
                .map_err(|(what, hint)| format!("{from} {what}; {hint}"))
        };
        Ok(Some(Destination { url: read(traces)?, metrics: metrics.map(read).transpose()? }))
    }

    /// Host and port, for people: without whatever else an address may hold.
    #[cfg(any(test, feature = "telemetry"))]
    pub(super) fn place(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
    const TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

    fn found(environment: &[(&str, &str)], configured: Option<&str>) -> Result<Option<String>, String> {
        let environment = |name: &str| {
            environment.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
        };
        let destination = Destination::find(environment, configured)?;
        Ok(destination.map(|destination| destination.url.to_string()))
    }

    #[test]
    fn where_spans_go() {
        let config = Some("http://config:4318");
        let table: [(&[(&str, &str)], _, _); 8] = [
            (&[], None, None),
            (&[], config, Some("http://config:4318/v1/traces")),
            (&[], Some("http://config/below/"), Some("http://config/below/v1/traces")),
            (&[(BASE, "https://base")], config, Some("https://base/v1/traces")),
            (
                &[(BASE, "http://base"), (TRACES, "http://traces:1/as/is")],
                config,
                Some("http://traces:1/as/is"),
            ),
            (&[("OTEL_SDK_DISABLED", "TRUE")], config, None),
            (&[("OTEL_TRACES_EXPORTER", "none"), (BASE, "http://base")], None, None),
            (&[("OTEL_EXPORTER_OTLP_PROTOCOL", PROTOCOL)], config, Some("http://config:4318/v1/traces")),
        ];
        for (environment, configured, expected) in table {
            let expected = Ok(expected.map(str::to_owned));
            assert_eq!(found(environment, configured), expected, "{environment:?} {configured:?}");
        }
    }

    #[test]
    fn where_metrics_go() {
        let config = Some("http://config:4318");
        let table: [(&[(&str, &str)], _, _); 6] = [
            (&[], config, Some("http://config:4318/v1/metrics")),
            (&[(BASE, "https://base")], config, Some("https://base/v1/metrics")),
            (&[(TRACES, "http://traces:1/as/is")], None, None),
            (&[(BASE, "http://base"), ("OTEL_METRICS_EXPORTER", "none")], None, None),
            (
                &[(BASE, "http://base"), ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://metrics/as/is")],
                None,
                Some("http://metrics/as/is"),
            ),
            (&[(TRACES, "http://traces:1/as/is")], config, Some("http://config:4318/v1/metrics")),
        ];
        for (environment, configured, expected) in table {
            let variable = |name: &str| {
                environment
                    .iter()
                    .find(|(variable, _)| *variable == name)
                    .map(|(_, value)| (*value).to_owned())
            };
            let destination = Destination::find(variable, configured).unwrap().unwrap();
            assert_eq!(destination.metrics.as_ref().map(Url::as_str), expected, "{environment:?}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_said_without_the_address() {
        let table: [(&[(&str, &str)], _); 3] = [
            (&[(BASE, "user:password@nowhere")], "OTEL_EXPORTER_OTLP_ENDPOINT begins with user:; only"),
            (&[(TRACES, "//password")], "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not an address"),
            (
                &[(BASE, "http://base"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
                "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc', and only http/protobuf",
            ),
        ];
        for (environment, expected) in table {
            let why = found(environment, None).unwrap_err();
            assert!(why.starts_with(expected), "{why}");
            assert!(!why.contains("password"), "{why}");
        }
    }

    #[test]
    fn people_see_host_and_port_only() {
        let to = Destination::find(|_| None, Some("https://user:password@collector/?key=secret")).unwrap();
        assert_eq!(to.unwrap().place(), "collector:443");
    }
}
