//! `POST /v1/chat`, `/v1/reset`, `GET /v1/chat/{sessionId}/events` and `/v1/agents`: messages to a chorus.

use axum::{Json as JsonResponse, extract::State, response::Response};
use enact_drama::chorus::{Agent, Chorus, MOST_SLOTS, SlotId};
use enact_engine::store::Conversation;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    ChorusState, NOT_A_CHORUS,
    conversation::{Chat, clear, submit},
};
use crate::{
    client_events::{self, FollowRequest, StreamQuery},
    error::{ApiError, ErrorCode},
    extract::{OptionalJson, read_body},
    openapi::SentEvent,
    routes::ApiState,
    run_request::RunRequest,
    visibility::Viewer,
};

/// Clients name conversations by a UUID, a name or an address; the store keeps the name with each
/// conversation.
const LONGEST_CONVERSATION_ID: usize = 128;

/// A message to a chorus. Whatever else a client says with it is passed over: there were clients of this
/// protocol before.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object with a message and slots")]
pub(super) struct ChatRequest {
    /// What all agents answer, at most 16,000 characters.
    #[schema(example = "What would you do with one more hour a day?", min_length = 1, max_length = 16_000)]
    message: String,
    /// Who takes part: 1 to 6 slots, each of them once.
    #[schema(
        min_items = 1, max_items = 6,
        example = json!([{ "slotId": 1, "agentId": "claude-sonnet-4-5" }, { "slotId": 2, "agentId": "gpt-4o" }])
    )]
    slots: Vec<SlotRequest>,
    /// Which of the caller's conversations it belongs to, by a name of at most 128 characters. There is one
    /// without a name.
    #[schema(example = "kiosk-1", max_length = 128)]
    conversation_id: Option<String>,
}

/// A slot, and who takes it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object with a slotId and an agentId")]
pub(super) struct SlotRequest {
    #[serde(deserialize_with = "slot_id")]
    #[schema(example = 1)]
    slot_id: SlotId,
    /// One of those that `/v1/agents` lists.
    #[schema(example = "gpt-4o")]
    agent_id: String,
}

/// A conversation to be reset.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with perhaps a conversationId")]
pub(super) struct Reset {
    /// Which of the caller's conversations. The one without a name by default.
    #[schema(example = "kiosk-1", max_length = 128)]
    conversation_id: Option<String>,
}

/// What was forgotten.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResetDone {
    #[schema(example = "ok")]
    status: &'static str,
    /// The slots that had something to forget.
    #[schema(value_type = Vec<u8>, example = json!([1, 2, 3]))]
    cleared_slots: Vec<SlotId>,
}

/// Who may take a slot.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AgentList {
    /// In the operator's order.
    agents: Vec<Agent>,
}

/// List agents
///
/// All agents that may take a slot in a chorus, in the operator's order.
#[utoipa::path(
    get, path = "/v1/agents", operation_id = "listAgents", tag = "chorus",
    responses((status = 200, description = "The agents.", body = AgentList)),
)]
pub(super) async fn agents(State(state): State<ChorusState>) -> JsonResponse<AgentList> {
    JsonResponse(AgentList { agents: state.preparer.agents() })
}

/// Send a message to a chorus
///
/// Three turns: everyone answers the message, everyone comments on one other answer, and those who got
/// comments reply. The answer is a stream of server-sent events, each with the seq of the log as its `id`,
/// and `done` comes last:
///
/// | event | data |
/// | --- | --- |
/// | `turn.start` | `sessionId`, `turnIndex` (1 to 3) |
/// | `slot.start` | `sessionId`, `turnIndex`, `kind` (`response`, `comment`, `reply`), `slotId`, `agentId` |
/// | `slot.done` | the same and `text`, `voiceProfile`; for a comment also `targetSlotId` and `comment`, which is the same as `text` |
/// | `slot.audio` | the same as `slot.start` and `voiceProfile`, `audioFormat` (`wav`), `audioPath`: the file is at `/v1/audio/{audioPath}` |
/// | `slot.error` | the same as `slot.start` and `error`: `type` (`network`, `timeout`, `rate_limit`, `server_error`, `tts_error`, `unknown`), `message`: a sentence for people |
/// | `turn.done` | `sessionId`, `turnIndex`, `slotCount` |
/// | `done` | `completedSlots`, `sessionId`, `turns`; `reason` where it was `cancelled`, has `failed`, or has used up what it may (`budget_exceeded`) |
///
/// `slot.audio` may come after the next `turn.start`: speech never holds up a turn. One slot alone answers,
/// without comments.
///
/// The chorus is a run, whose id is the `sessionId`, and `Location` says where it is. It is played to its end
/// whether or not the stream is read: a client that lost it goes on at `/v1/chat/{sessionId}/events`. While a
/// run waits to be played, or cannot be played yet (`problem` of the run says why), the stream stays open and
/// carries nothing but comments; cancel the run to end it. `closing` (without an `id`) says that this server
/// stops: come back, here or elsewhere.
///
/// Fields that are not described here are ignored.
///
/// The next message of the same caller and `conversationId` goes on where this one ended, slot by slot, until
/// `/v1/reset`, or until another agent takes the slot. Before this one has ended or was reset, it is refused:
/// `CONVERSATION_BUSY`.
///
/// With an `Idempotency-Key` the request can be repeated: it makes one run, which is told from its beginning
/// each time, and the answers after the first say `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/chat", operation_id = "chat", tag = "chorus", request_body = ChatRequest,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 200, description = "What happens, as it happens.", body = SentEvent, content_type = "text/event-stream",
        headers(("Location" = String, description = "Where the run is."),
                ("Idempotent-Replayed" = Option<String>, description = "`true` if this was asked for before.")),
        example = "id: 1\nevent: turn.start\ndata: {\"sessionId\":\"0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f\",\"turnIndex\":1}\n\n")),
)]
pub(super) async fn post_chat(
    State(state): State<ChorusState>,
    viewer: Viewer,
    request: RunRequest,
) -> Result<Response, ApiError> {
    let made = request.once(async {
        let chat = read(&request.body, viewer.account())?;
        request.enter_queue().await?;
        submit(&state, chat, &request).await.map_err(ApiError::invalid_request)
    });
    client_events::from_beginning::<Chorus>(&state.api, made.await?).await
}

/// Follow a chorus
///
/// The same events as those that answer the message, from any of them on, whether the chorus goes on or is
/// over. A client that comes back with `Last-Event-ID` (or `from`) misses nothing and sees nothing twice.
/// After `done` the stream ends.
#[utoipa::path(
    get, path = "/v1/chat/{sessionId}/events", operation_id = "followChat", tag = "chorus",
    params(("sessionId" = String, Path, format = "uuid", description = "The session: the run of the message."), StreamQuery,
           ("Last-Event-ID" = Option<u64>, Header, description = "The `id` of the last event that was seen.")),
    responses((status = 200, description = "The events.", body = SentEvent, content_type = "text/event-stream",
        example = "id: 42\nevent: done\ndata: {\"completedSlots\":6,\"sessionId\":\"0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f\",\"turns\":3}\n\n")),
)]
pub(super) async fn follow_chat(request: FollowRequest) -> Result<Response, ApiError> {
    client_events::follow::<Chorus>(request, NOT_A_CHORUS).await
}

/// Begin anew
///
/// Every slot of the conversation forgets what it was told and said. A message that is still being answered
/// is cancelled: its stream ends with `done` for the reason `cancelled`, and the next message need not wait
/// for that.
#[utoipa::path(
    post, path = "/v1/reset", operation_id = "resetChat", tag = "chorus", request_body = Option<Reset>,
    responses((status = 200, description = "It is forgotten.", body = ResetDone)),
)]
pub(super) async fn reset_chat(
    State(api): State<ApiState>,
    viewer: Viewer,
    OptionalJson(reset): OptionalJson<Reset>,
) -> Result<JsonResponse<ResetDone>, ApiError> {
    let of = conversation(viewer.account(), reset.conversation_id)?;
    let cleared_slots = clear(&api, &of).await?;
    Ok(JsonResponse(ResetDone { status: "ok", cleared_slots }))
}

fn read(body: &[u8], account: &str) -> Result<Chat, ApiError> {
    let chat: ChatRequest = read_body(body)?;
    let seats = chat.slots.into_iter().map(|slot| (slot.slot_id.number(), slot.agent_id));
    Ok(Chat {
        seats: seats.collect(),
        conversation: conversation(account, chat.conversation_id)?,
        message: chat.message,
    })
}

/// Reads the number of a slot. The error says which numbers there are, whatever was found instead.
fn slot_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SlotId, D::Error> {
    let found = Value::deserialize(deserializer)?;
    let number = found.as_u64().and_then(|number| SlotId::new(u8::try_from(number).ok()?));
    number.ok_or_else(|| {
        let found = match &found {
            // However long it is, and whatever is in it.
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            Value::String(_) => "a text".to_owned(),
            found => found.to_string(),
        };
        D::Error::custom(format!("slotId must be a number from 1 to {MOST_SLOTS}, found {found}"))
    })
}

/// Conversations are named by account: no caller reaches another's.
fn conversation(account: &str, id: Option<String>) -> Result<Conversation, ApiError> {
    let name = id.unwrap_or_default();
    // Control characters cannot be told apart, and a database takes no null.
    if name.chars().count() > LONGEST_CONVERSATION_ID || name.chars().any(char::is_control) {
        let message =
            format!("conversationId must have at most {LONGEST_CONVERSATION_ID} characters, all on one line");
        return Err(ApiError::new(ErrorCode::InvalidRequest, message));
    }
    Ok(Conversation { owner: account.to_owned(), name })
}
