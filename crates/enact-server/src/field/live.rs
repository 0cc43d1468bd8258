//! Fields that are followed: each is folded once on a node, for all its readers there.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use bytes::Bytes;
use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    field::{FieldEvent, FieldRun, report::FieldClientEvents},
    production::{ClientEvents, Delta},
    record::read_facts,
};
use enact_engine::{Store, newest_checkpoint};

use crate::{
    error::{ApiError, ErrorCode},
    event_stream::{Encoded, EventEncoder, EventText},
    sse,
};

/// How many bytes of events are kept for readers that are a little behind. One that is further behind comes again.
const RECENT_BYTES: usize = 4 << 20;

/// The fields that somebody follows on this node.
#[derive(Debug, Clone, Default)]
pub(super) struct LiveFields(Arc<Mutex<HashMap<RunId, Weak<SharedField>>>>);

/// A field that readers share.
#[derive(Debug)]
pub(super) struct SharedField(Mutex<LiveField>);

/// A field as far as it was folded, and the events of late.
#[derive(Debug)]
pub(super) struct LiveField {
    client: FieldClientEvents,
    /// The seq of the next record.
    pub(super) next: Seq,
    /// Every event of the records from here on is kept.
    pub(super) kept_from: Seq,
    recent: VecDeque<(Seq, Bytes)>,
    recent_bytes: usize,
}

impl LiveFields {
    /// The one that others follow.
    pub(super) fn get(&self, run: RunId) -> Option<Arc<SharedField>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&run)?.upgrade()
    }

    /// From now on others follow this one.
    pub(super) fn add(&self, run: RunId, field: &Arc<SharedField>) {
        let mut fields = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        fields.retain(|_, field| field.strong_count() > 0);
        fields.insert(run, Arc::downgrade(field));
    }
}

impl SharedField {
    /// A field after all records before a seq, or after all there are.
    pub(super) async fn open(
        store: &dyn Store,
        run: RunId,
        before: Option<Seq>,
    ) -> Result<Arc<SharedField>, ApiError> {
        let unreadable =
            || ApiError::new(ErrorCode::RunUnreadable, format!("run {run} does not begin like a field"));
        let first = store.read_some(run, Seq(0), 1).await?.into_iter().next().ok_or_else(unreadable)?;
        let checkpoint = newest_checkpoint::<FieldRun>(store, run, &first).await?;
        let checkpoint = checkpoint.filter(|(_, next)| before.is_none_or(|before| *next <= before));
        let covered = checkpoint.as_ref().map_or(Seq(0), |(_, next)| *next);
        let records = match before {
            Some(before) => {
                let most = usize::try_from(before.0 - covered.0).unwrap_or(usize::MAX);
                store.read_some(run, covered, most).await?
            }
            None => store.read(run, covered).await?,
        };
        let facts: Vec<Fact<FieldEvent>> = read_facts(&records)?;
        let (first, next) = (first.fact()?, Seq(covered.0 + facts.len() as u64));
        // Folding simulates, which is no work for the thread that serves requests.
        let folded = tokio::task::spawn_blocking(move || match checkpoint {
            Some((field, _)) => folded(field, &facts),
            None if facts.is_empty() => FieldClientEvents::begin(&first),
            None => folded(FieldRun::begin(&first)?, &facts[1..]),
        });
        let client = folded.await.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()));
        let live = LiveField {
            client: client.ok_or_else(unreadable)?,
            next,
            kept_from: next,
            recent: VecDeque::new(),
            recent_bytes: 0,
        };
        Ok(Arc::new(SharedField(Mutex::new(live))))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, LiveField> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What readers are told after these facts. Those since the last tick are told one by one: what they change is part of
/// the next `delta`.
fn folded(mut field: FieldRun, facts: &[Fact<FieldEvent>]) -> Option<FieldClientEvents> {
    let is_advance = |fact: &Fact<FieldEvent>| matches!(fact.event, FieldEvent::Advanced { .. });
    let last = facts.iter().rposition(is_advance).map_or(0, |at| at + 1);
    facts[..last].iter().for_each(|fact| field.apply(fact));
    let mut client = field.client()?;
    facts[last..].iter().for_each(|fact| drop(client.on_fact(fact)));
    Some(client)
}

impl LiveField {
    /// How it stands, as events.
    pub(super) fn standing(&self) -> Bytes {
        let (mut text, id) = (Vec::new(), self.client.id(Seq(self.next.0.saturating_sub(1))));
        for event in self.client.standing() {
            sse::push_event(&mut text, &id, event.name, &event.data);
        }
        Bytes::from(text)
    }

    /// Folds a record, unless another reader has brought it already.
    fn take(&mut self, record: &Record) {
        if record.seq != self.next {
            return;
        }
        self.next = record.seq.next();
        // What this version does not know is passed over.
        let Some(event) = record.fact().ok().and_then(|fact| self.client.on_fact(&fact)) else { return };
        let mut text = Vec::new();
        sse::push_event(&mut text, &self.client.id(record.seq), event.name, &event.data);
        self.recent_bytes += text.len();
        self.recent.push_back((record.seq, Bytes::from(text)));
        while self.recent_bytes > RECENT_BYTES && self.recent.len() > 1 {
            if let Some((seq, dropped)) = self.recent.pop_front() {
                self.recent_bytes -= dropped.len();
                self.kept_from = seq.next();
            }
        }
    }

    fn text_of(&self, seq: Seq) -> Option<&Bytes> {
        let at = self.recent.binary_search_by_key(&seq, |(seq, _)| *seq).ok()?;
        Some(&self.recent[at].1)
    }
}

/// One reader of a field.
#[derive(Debug)]
pub(super) struct FieldReader {
    pub(super) field: Arc<SharedField>,
    /// The first record that it has not seen.
    pub(super) from: Seq,
    pub(super) is_behind: bool,
}

impl EventEncoder for FieldReader {
    fn encode_records(&mut self, records: Vec<Arc<Record>>) -> Encoded {
        let (mut text, mut events) = (Vec::new(), 0);
        let mut field = self.field.lock();
        for record in records {
            field.take(&record);
            if record.seq < self.from {
                continue;
            }
            if record.seq < field.kept_from || record.seq >= field.next {
                self.is_behind = true;
                text.extend_from_slice(&sse::closing_after_last());
                break;
            }
            if let Some(event) = field.text_of(record.seq) {
                text.extend_from_slice(event);
                events += 1;
            }
        }
        Encoded { text: EventText::Short(Bytes::from(text)), events }
    }

    fn encode_delta(&mut self, _: &Delta) -> Bytes {
        Bytes::new()
    }

    fn encode_closing(&self, _: Seq) -> Bytes {
        sse::closing_after_last()
    }

    fn is_over(&self) -> bool {
        self.is_behind
    }

    /// Empty: the field's own last event ends the stream.
    fn encode_end(&self) -> impl Future<Output = Bytes> + Send {
        std::future::ready(Bytes::new())
    }
}
