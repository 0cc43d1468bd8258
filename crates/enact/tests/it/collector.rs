//! An OpenTelemetry collector as far as a test needs one: plain HTTP on a port of its own, and a memory.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use opentelemetry_proto::tonic::{
    collector::{metrics::v1::ExportMetricsServiceRequest, trace::v1::ExportTraceServiceRequest},
    common::v1::{AnyValue, KeyValue, any_value::Value},
    metrics::v1::{HistogramDataPoint, metric},
    trace::v1::Span,
};
use prost::Message;

pub(crate) struct Collector {
    pub(crate) address: String,
    received: Arc<Mutex<Vec<Received>>>,
}

/// How a collector answers.
#[derive(Clone, Copy)]
pub(crate) enum Manners {
    Takes,
    /// Reads everything and never answers.
    Hangs,
    /// Redirects to another path.
    Redirects,
    /// Takes spans, and has no room for metrics.
    RefusesMetrics,
    /// Takes a part of the metrics, and says so in a 200.
    TakesPart,
}

#[derive(Clone)]
pub(crate) struct Received {
    /// The request line and the headers, as they came.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Collector {
    pub(crate) fn start(manners: Manners) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let received = Arc::new(Mutex::new(Vec::new()));
        let keep = received.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let keep = keep.clone();
                thread::spawn(move || serve(stream.unwrap(), manners, &keep));
            }
        });
        Collector { address, received }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// All spans that came, in the order of their beginning.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = self
            .requests()
            .into_iter()
            .flat_map(|request| request.resource_spans)
            .flat_map(|resource| resource.scope_spans)
            .flat_map(|scope| scope.spans)
            .collect();
        spans.sort_by_key(|span| span.start_time_unix_nano);
        spans
    }

    /// What the sender says of itself.
    pub(crate) fn resource(&self) -> BTreeMap<String, String> {
        let requests = self.requests();
        attributes(&requests[0].resource_spans[0].resource.as_ref().unwrap().attributes)
    }

    /// The points of all histograms of this name, newest last.
    pub(crate) fn histogram(&self, name: &str) -> Vec<HistogramDataPoint> {
        let requests = self.decoded::<ExportMetricsServiceRequest>("/v1/metrics");
        let metrics = requests
            .into_iter()
            .flat_map(|request| request.resource_metrics)
            .flat_map(|resource| resource.scope_metrics)
            .flat_map(|scope| scope.metrics);
        let points = metrics.filter(|metric| metric.name == name).filter_map(|metric| match metric.data {
            Some(metric::Data::Histogram(histogram)) => Some(histogram.data_points),
            _ => None,
        });
        points.flatten().collect()
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        self.decoded("/v1/traces")
    }

    fn decoded<M: Message + Default>(&self, path: &str) -> Vec<M> {
        let posted = |received: &&Received| received.head.starts_with(&format!("POST {path} "));
        self.received().iter().filter(posted).map(|received| M::decode(&*received.body).unwrap()).collect()
    }
}

pub(crate) fn attributes(pairs: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &Option<AnyValue>| match value.as_ref().and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    pairs.iter().map(|pair| (pair.key.clone(), text(&pair.value))).collect()
}

/// The type of each attribute, by its name.
pub(crate) fn types(pairs: &[KeyValue]) -> BTreeMap<String, &'static str> {
    let kind = |value: &Option<AnyValue>| match value.as_ref().and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(_)) => "string",
        Some(Value::IntValue(_)) => "int",
        Some(Value::DoubleValue(_)) => "double",
        Some(Value::BoolValue(_)) => "bool",
        Some(Value::ArrayValue(_)) => "array",
        _ => "other",
    };
    pairs.iter().map(|pair| (pair.key.clone(), kind(&pair.value))).collect()
}

fn serve(stream: TcpStream, manners: Manners, keep: &Mutex<Vec<Received>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(received) = read(&mut reader) {
        let has_metrics = received.head.starts_with("POST /v1/metrics ");
        keep.lock().unwrap().push(received);
        let answer = match manners {
            Manners::RefusesMetrics if has_metrics => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            // `partial_success { rejected_data_points: 3, error_message: "full" }`
            Manners::TakesPart if has_metrics => {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n\n\u{8}\u{8}\u{3}\u{12}\u{4}full"
            }
            Manners::RefusesMetrics | Manners::TakesPart => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            Manners::Takes => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            Manners::Redirects => {
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
            }
            Manners::Hangs => continue,
        };
        stream.write_all(answer.as_bytes()).unwrap();
    }
}

fn read(reader: &mut impl BufRead) -> Option<Received> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Received { head, body })
}
