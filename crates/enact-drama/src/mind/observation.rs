//! What a mind is told in one call. Reading never fails: what has no meaning here is left out, and so is what
//! is too much (`observation_bounds`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::field::world::StateName;

/// A cell of the game's map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GameCell(pub i64, pub i64);

impl GameCell {
    /// In steps along the axes.
    pub fn distance(self, other: GameCell) -> u64 {
        self.0.abs_diff(other.0).saturating_add(self.1.abs_diff(other.1))
    }
}

/// Which games of the family speak: the older ones name things, the newer ones have ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generation {
    /// Agents: an English text.
    V1,
    /// Minds: JSON.
    #[default]
    V2,
}

/// What a mind is told: where its body is, what it needs and sees, and what happened since.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MindObservation {
    pub generation: Generation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_id: Option<String>,
    /// In minutes of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<GameCell>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// Nothing where the text holds only news.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentInteraction>,
    /// In percent, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub needs: BTreeMap<String, i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub visible: Vec<SeenEntity>,
    /// What the game itself proposes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OfferedOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<MindNews>,
    /// Lines of a text that mean nothing here, for a model to read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prose: Vec<String>,
}

/// What a body takes part in.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CurrentInteraction {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fills: Vec<String>,
    /// What `act_in_interaction` takes, each with its type; nothing where the game does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<BTreeMap<String, String>>,
}

/// A visible entity.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SeenEntity {
    /// Empty in texts, which have names only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<GameCell>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
    /// What it takes part in, and whether that can be joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_with: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub joinable: bool,
}

impl SeenEntity {
    /// What the game finds it by.
    pub fn address(&self) -> &str {
        if self.id.is_empty() { &self.name } else { &self.id }
    }
}

/// What can be done with an entity.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Offer {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fills: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drains: Vec<String>,
}

/// A plan that the game proposes: its first step, and the id to echo.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OfferedOption {
    pub id: String,
    pub description: String,
    /// In thousandths.
    pub score: i64,
    pub action: String,
    pub parameters: Map<String, Value>,
}

/// Something that happened since the last call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum MindNews {
    /// Unknown in texts: they do not say whose bid it is.
    BidPending {
        interaction: String,
    },
    BidReceived {
        bid_id: String,
        bidder_id: String,
        bidder: String,
        interaction: String,
    },
    BidRejected {
        interaction: String,
        reason: String,
    },
    BidCanceled {
        bid_id: String,
    },
    Started {
        interaction: String,
        id: String,
    },
    Canceled {
        interaction: String,
        id: String,
    },
    Finished {
        interaction: String,
        id: String,
    },
    /// A conversation as it stands: a window of its last messages.
    Talk {
        id: String,
        interaction: String,
        participants: Vec<String>,
        messages: Vec<TalkMessage>,
    },
    Moved {
        status: String,
    },
    Error {
        message: String,
    },
    /// Of a kind that is not known here.
    Other {
        kind: String,
    },
}

/// Something said in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TalkMessage {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub speaker_id: String,
    pub speaker: String,
    pub text: String,
    /// In thousandths of the game's unit, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub farewell: bool,
}

impl TalkMessage {
    /// Whether this is the same message, whatever was added to it since.
    pub(super) fn is_same(&self, other: &TalkMessage) -> bool {
        (self.at, &self.speaker_id, &self.speaker, &self.text)
            == (other.at, &other.speaker_id, &other.speaker, &other.text)
    }
}

impl MindObservation {
    /// Reads what a game of the newer kind sends.
    pub fn read(observation: &Value, events: &[Value]) -> MindObservation {
        let status = &observation["status"];
        let current = read_current(&status["current_interaction"]);
        // The two are cleared on different frames: only together they mean something.
        let named = status["activity_state"]["state_name"].as_str().unwrap_or_default();
        let state = match (state_named(named), &current) {
            (Some(StateName::Interacting), None) => Some(StateName::Idle),
            (None, _) if status.is_object() => Some(StateName::Idle),
            (state, _) => state,
        };
        let current = current.filter(|_| state == Some(StateName::Interacting));
        let needs = &observation["needs"];
        let full = needs["max_value"].as_f64().filter(|full| *full > 0.0).unwrap_or(100.0);
        let need = |(name, value): (&String, &Value)| {
            let percent = value.as_f64()? / full * 100.0;
            Some((name.clone(), percent.clamp(0.0, 100.0) as i32))
        };
        let goal = &observation["goal"];
        MindObservation {
            generation: Generation::V2,
            entity_id: observation["entity_id"].as_str().map(str::to_owned),
            time: whole(&observation["current_simulation_time"]),
            position: cell(&status["position"]),
            locked: status["movement_locked"].as_bool().unwrap_or(false),
            state,
            current,
            needs: members(&needs["needs"]).filter_map(need).collect(),
            visible: items(&observation["vision"]["visible_entities"]).map(read_entity).collect(),
            options: items(&goal["options"]).filter_map(read_option).collect(),
            mood: observation["mood"]["label"].as_str().map(str::to_owned),
            goal: goal["active_goal"]["label"].as_str().map(str::to_owned),
            events: events.iter().map(read_event).collect(),
            prose: Vec::new(),
        }
        .bounded()
    }

    pub fn seen(&self, address: &str) -> Option<&SeenEntity> {
        let by_id = self.visible.iter().find(|entity| !entity.id.is_empty() && entity.id == address);
        by_id.or_else(|| self.nearest(|entity| entity.name == address))
    }

    /// Of those like this the nearest: among equal names the game takes that one too.
    pub(super) fn nearest(&self, wanted: impl Fn(&SeenEntity) -> bool) -> Option<&SeenEntity> {
        self.visible.iter().filter(|entity| wanted(entity)).min_by_key(|entity| self.distance(entity))
    }

    pub(super) fn distance(&self, entity: &SeenEntity) -> u64 {
        self.position.zip(entity.position).map_or(u64::MAX, |(here, there)| here.distance(there))
    }
}

fn read_current(value: &Value) -> Option<CurrentInteraction> {
    let name = value["name"].as_str().or_else(|| value["interaction_name"].as_str())?;
    let takes = value["act_in_interaction_parameters"].as_object().map(|takes| {
        let kind = |value: &Value| value["type"].as_str().unwrap_or("string").to_owned();
        takes.iter().map(|(name, value)| (name.clone(), kind(value))).collect()
    });
    Some(CurrentInteraction { name: name.to_owned(), fills: names(&value["needs_filled"]), takes })
}

fn read_entity(value: &Value) -> SeenEntity {
    let offer = |(name, offer): (&String, &Value)| Offer {
        name: offer["name"].as_str().unwrap_or(name).to_owned(),
        description: text_of(&offer["description"]),
        fills: names(&offer["needs_filled"]),
        drains: names(&offer["needs_drained"]),
    };
    let busy = &value["current_interaction"];
    SeenEntity {
        id: text_of(&value["entity_id"]),
        name: text_of(&value["display_name"]),
        position: cell(&value["position"]),
        offers: members(&value["interactions"]).map(offer).collect(),
        busy_with: busy["interaction_name"].as_str().map(str::to_owned),
        joinable: busy["is_joinable"].as_bool().unwrap_or(false),
    }
}

fn read_option(value: &Value) -> Option<OfferedOption> {
    let step = items(&value["segments"]).flat_map(|segment| items(&segment["steps"])).next();
    let action = step.map_or(&Value::Null, |step| &step["action"]);
    let id = match &value["option_id"] {
        Value::String(id) => id.clone(),
        Value::Number(id) => id.to_string(),
        _ => return None,
    };
    Some(OfferedOption {
        id,
        description: text_of(&value["description"]),
        score: thousandths(&value["score"]).unwrap_or(0),
        action: text_of(&action["name"]),
        parameters: action["parameters"].as_object().cloned().unwrap_or_default(),
    })
}

fn read_event(event: &Value) -> MindNews {
    let payload = &event["payload"];
    let name = |key: &str| text_of(&payload[key]);
    let (interaction, id) = (name("interaction_name"), name("interaction_id"));
    match event["event_type"].as_str().unwrap_or_default() {
        "INTERACTION_BID_PENDING" | "INTERACTION_REQUEST_PENDING" => MindNews::BidPending { interaction },
        "INTERACTION_BID_RECEIVED" => MindNews::BidReceived {
            bid_id: name("bid_id"),
            bidder_id: name("bidder_id"),
            bidder: name("bidder_name"),
            interaction,
        },
        "INTERACTION_BID_REJECTED" | "INTERACTION_REQUEST_REJECTED" => {
            MindNews::BidRejected { interaction, reason: text_of(&payload["reason"]) }
        }
        "INTERACTION_BID_CANCELED" => MindNews::BidCanceled { bid_id: name("bid_id") },
        "INTERACTION_STARTED" => MindNews::Started { interaction, id },
        "INTERACTION_CANCELED" => MindNews::Canceled { interaction, id },
        "INTERACTION_FINISHED" => MindNews::Finished { interaction, id },
        "INTERACTION_OBSERVATION" => MindNews::Talk {
            id,
            interaction,
            participants: names(&payload["participants"]),
            messages: items(&payload["conversation_history"]).map(read_message).collect(),
        },
        "MOVEMENT_COMPLETED" => MindNews::Moved { status: name("status") },
        "ERROR" => MindNews::Error { message: text_of(&payload["message"]) },
        other => MindNews::Other { kind: other.to_owned() },
    }
}

fn read_message(value: &Value) -> TalkMessage {
    TalkMessage {
        speaker_id: text_of(&value["speaker_id"]),
        speaker: text_of(&value["speaker_name"]),
        text: text_of(&value["message"]),
        at: thousandths(&value["timestamp"]),
        farewell: items(&value["declarations"]).any(|declared| declared["kind"] == "farewell"),
    }
}

/// A state by its name, in capitals or not.
pub(super) fn state_named(name: &str) -> Option<StateName> {
    StateName::ALL.into_iter().find(|state| state.as_str().eq_ignore_ascii_case(name.trim()))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn names(value: &Value) -> Vec<String> {
    items(value).filter_map(Value::as_str).map(str::to_owned).collect()
}

/// `[x, y]`, or an object of both.
fn cell(value: &Value) -> Option<GameCell> {
    let at = |index: usize, name: &str| whole(value.get(index).unwrap_or(&value[name]));
    Some(GameCell(at(0, "x")?, at(1, "y")?))
}

/// Games send cells and minutes as numbers of either kind.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_f64().filter(|number| number.is_finite()).map(|number| number as i64))
}

fn thousandths(value: &Value) -> Option<i64> {
    value.as_f64().filter(|number| number.is_finite()).map(|number| (number * 1_000.0) as i64)
}
