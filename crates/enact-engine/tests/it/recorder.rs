//! A tracing subscriber that keeps every span as it was when it closed.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// Everything that was seen, in the order in which it was over.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder {
    closed: Arc<Mutex<Vec<Closed>>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub(crate) name: &'static str,
    /// The span above, as a name and its fields.
    pub(crate) parent: Option<(&'static str, Fields)>,
    pub(crate) fields: Fields,
}

pub(crate) type Fields = BTreeMap<&'static str, String>;

impl Recorder {
    pub(crate) fn spans(&self, name: &str) -> Vec<Closed> {
        self.closed.lock().unwrap().iter().filter(|span| span.name == name).cloned().collect()
    }

    /// Everything anybody could read in the spans, as one text.
    pub(crate) fn everything(&self) -> String {
        format!("{:?}", self.closed.lock().unwrap())
    }
}

impl Closed {
    /// The fields of that name, as a line to compare with; nothing where a field was never filled.
    pub(crate) fn told(&self, fields: &[&str]) -> String {
        let told = fields.iter().map(|field| self.fields.get(field).map_or("-", String::as_str));
        told.collect::<Vec<_>>().join(" ")
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Seen::default();
        attributes.record(&mut fields);
        context.span(id).unwrap().extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, context: Context<'_, S>) {
        record.record(context.span(id).unwrap().extensions_mut().get_mut::<Seen>().unwrap());
    }

    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {}

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let span = context.span(&id).unwrap();
        let fields = span.extensions_mut().remove::<Seen>().unwrap().0;
        let parent =
            span.parent().map(|parent| (parent.name(), parent.extensions().get::<Seen>().unwrap().0.clone()));
        self.closed.lock().unwrap().push(Closed { name: span.name(), parent, fields });
    }
}

#[derive(Default)]
struct Seen(Fields);

impl Visit for Seen {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}
