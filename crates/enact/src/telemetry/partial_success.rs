//! What a collector that answers 200 has not taken: `partial_success` of OTLP's answers, which are the same
//! for spans and metrics. Reads two protobuf fields itself, because the exporter drops the answer.

/// The longest text of a collector that is repeated.
const LONGEST: usize = 200;

/// How much was rejected, and why, in the collector's words. None if all was taken.
pub(super) fn rejected(answer: &[u8]) -> Option<String> {
    let partial = ProtobufFields(answer).find_map(|field| match field {
        (1, FieldValue::Bytes(bytes)) => Some(bytes),
        _ => None,
    })?;
    let (mut count, mut why) = (0, String::new());
    for field in ProtobufFields(partial) {
        match field {
            (1, FieldValue::Number(number)) => count = number,
            (2, FieldValue::Bytes(text)) => {
                why = String::from_utf8_lossy(text).chars().take(LONGEST).collect()
            }
            _ => {}
        }
    }
    (count > 0).then(|| format!("{count} rejected: {}", why.escape_debug()))
}

/// The fields of a message, up to the first that is not understood.
struct ProtobufFields<'a>(&'a [u8]);

enum FieldValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Iterator for ProtobufFields<'a> {
    type Item = (u64, FieldValue<'a>);

    fn next(&mut self) -> Option<(u64, FieldValue<'a>)> {
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => FieldValue::Number(self.varint()?),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                let (bytes, rest) = self.0.split_at_checked(length)?;
                self.0 = rest;
                FieldValue::Bytes(bytes)
            }
            _ => return None,
        };
        Some((tag >> 3, value))
    }
}

impl ProtobufFields<'_> {
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry_proto::tonic::collector::metrics::v1::{
        ExportMetricsPartialSuccess, ExportMetricsServiceResponse,
    };
    use proptest::prelude::*;
    use prost::Message;

    use super::rejected;

    fn answer(rejected_data_points: i64, error_message: &str) -> Vec<u8> {
        let error_message = error_message.to_owned();
        let partial_success = Some(ExportMetricsPartialSuccess { rejected_data_points, error_message });
        ExportMetricsServiceResponse { partial_success }.encode_to_vec()
    }

    #[test]
    fn only_what_was_rejected_is_told() {
        assert_eq!(rejected(&answer(300, "too old")).as_deref(), Some("300 rejected: too old"));
        assert_eq!(rejected(&answer(0, "be gentle")), None, "a warning is no refusal");
        assert_eq!(rejected(&ExportMetricsServiceResponse::default().encode_to_vec()), None);
        assert_eq!(rejected(b"{}"), None);
    }

    proptest! {
        #[test]
        fn whatever_is_answered_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = rejected(&bytes);
        }
    }
}
