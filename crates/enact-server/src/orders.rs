//! Requests that can be repeated: whoever names theirs gets the same run for it, however often they ask.

use axum::{
    http::{HeaderMap, HeaderValue},
    response::Response,
};
use enact_engine::{node::Placed, store::Order};
use sha2::{Digest, Sha256};

use crate::{
    access::Caller,
    error::{Code, Refusal},
    input::header,
    routes::Api,
};

const IDEMPOTENCY_KEY: &str = "idempotency-key";
const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
/// A UUID and then some. Keys are kept as long as their runs.
const LONGEST_KEY: usize = 255;

/// The name somebody gave a request, if they did. What was asked for tells a repetition from another request.
pub(crate) fn order(
    path: &str,
    caller: Option<&Caller>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Option<Order>, Refusal> {
    let Some(key) = header(headers, IDEMPOTENCY_KEY)? else { return Ok(None) };
    if key.is_empty() || key.len() > LONGEST_KEY {
        let message = format!("Idempotency-Key must have 1 to {LONGEST_KEY} characters");
        return Err(Refusal::new(Code::InvalidParameter, message));
    }
    let digest = Sha256::new().chain_update(path).chain_update([0]).chain_update(body).finalize();
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let from = caller.map_or_else(String::new, |caller| caller.name().to_owned());
    Ok(Some(Order { from, key: key.to_owned(), digest }))
}

/// Whoever repeats a request gets its run, however many wait by now and whatever became of the sheets and models.
pub(crate) async fn placed_before(api: &Api, order: Option<&Order>) -> Result<Option<Placed>, Refusal> {
    match order {
        Some(order) => Ok(api.node.ordered(order).await?),
        None => Ok(None),
    }
}

/// Says of an answer whether it repeats an earlier one.
pub(crate) fn tell_repeated(response: &mut Response, placed: Placed) {
    if placed.before {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_names_one_request_to_one_path() {
        let headers: HeaderMap =
            [(IDEMPOTENCY_KEY.parse().unwrap(), "k".parse().unwrap())].into_iter().collect();
        let digest =
            |path: &str, body: &str| order(path, None, &headers, body.as_bytes()).unwrap().unwrap().digest;
        assert_eq!(digest("/a", "x"), digest("/a", "x"));
        assert_ne!(digest("/a", "x"), digest("/a", "y"));
        assert_ne!(digest("/a", "x"), digest("/b", "x"));
        assert_eq!(digest("/a", "x").len(), 64);
    }
}
