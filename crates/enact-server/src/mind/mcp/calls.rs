//! The nine tools of minds, of both generations of games. Whatever is wrong is said in the result: a call that
//! fails in transport is repeated for ever by the game that exists.

use enact_drama::mind::{MindAction, MindCommand, MindConfig, MindObservation};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{McpCaller, McpServer};
use crate::{
    error::ApiError,
    mind::{
        MIND_NOT_FOUND,
        mind_queue::MindQueue,
        minds::{DecidedCall, MindKey, NewMind, new_request_id},
        shapes::{self, MindConfigShape, PROTOCOL},
    },
};

#[derive(Deserialize)]
struct AgentArguments {
    agent_id: String,
    #[serde(default)]
    config: Option<MindConfigShape>,
    #[serde(default)]
    observation: String,
}

#[derive(Deserialize)]
struct MindArguments {
    mind_id: String,
    #[serde(default)]
    entity_id: String,
    #[serde(default)]
    config: MindConfigShape,
    #[serde(default)]
    observation: Value,
    #[serde(default)]
    events: Option<Vec<Value>>,
}

impl McpServer {
    /// The result of a tool; nothing if there is no such tool.
    pub(super) async fn call(&self, tool: &str, arguments: Value, caller: &McpCaller) -> Option<Value> {
        Some(match tool {
            "create_agent" | "process_observation" | "cleanup_agent" => {
                let called = match read::<AgentArguments>(arguments) {
                    Ok(arguments) => self.call_agent(tool, arguments, caller).await,
                    Err(message) => Err(message),
                };
                called.unwrap_or_else(|message| json!({ "status": "error", "message": message }))
            }
            "decide_action" => match read::<MindArguments>(arguments) {
                Ok(arguments) => self.decide(arguments, caller).await,
                Err(message) => undecided(&message),
            },
            "create_mind" | "consolidate_memories" | "cleanup_mind" | "relink_mind" | "forget_mind" => {
                match read::<MindArguments>(arguments) {
                    Ok(arguments) => self.call_mind(tool, arguments, caller).await,
                    Err(message) => json!({ "status": "error", "message": message }),
                }
            }
            _ => return None,
        })
    }

    async fn call_agent(
        &self,
        tool: &str,
        arguments: AgentArguments,
        caller: &McpCaller,
    ) -> Result<Value, String> {
        let AgentArguments { agent_id, config, observation } = arguments;
        let key = MindKey::new(&caller.account, &agent_id).map_err(message)?;
        match tool {
            "create_agent" => {
                let config = config.map_or_else(MindConfig::unknown, MindConfigShape::read);
                self.adopt(&key, config).await.map_err(message)?;
                Ok(json!({ "status": "created", "agent_id": agent_id }))
            }
            "process_observation" => {
                let told = MindObservation::read_text(&observation);
                let decided = match self.minds.decide(&key, None, caller.order.clone(), told.clone()).await {
                    // An agent that is not known is better made than refused.
                    Err(error) if error.code == MIND_NOT_FOUND => {
                        self.adopt(&key, MindConfig::unknown()).await.map_err(message)?;
                        self.minds.decide(&key, None, caller.order.clone(), told).await
                    }
                    decided => decided,
                };
                let DecidedCall { decision, .. } = decided.map_err(message)?;
                let action = decision.map_or_else(MindAction::go_on, |decision| decision.action);
                Ok(json!({ "action": action.action, "parameters": action.parameters }))
            }
            _ => {
                let released = self.minds.command(&key, MindCommand::Release {}).await;
                match released {
                    Err(error) if error.code != MIND_NOT_FOUND => Err(message(error)),
                    _ => Ok(json!({ "status": "removed", "agent_id": agent_id })),
                }
            }
        }
    }

    /// An agent is its own body.
    async fn adopt(&self, key: &MindKey, config: MindConfig) -> Result<(), ApiError> {
        let new = NewMind { entity_id: key.mind_id.clone(), config, model: None };
        self.minds.create(key, new).await.map(|_| ())
    }

    async fn decide(&self, arguments: MindArguments, caller: &McpCaller) -> Value {
        let told = MindObservation::read(&arguments.observation, &arguments.events.unwrap_or_default());
        let decided = match MindKey::new(&caller.account, &arguments.mind_id) {
            Ok(key) => self.minds.decide(&key, None, caller.order.clone(), told).await,
            Err(error) => Err(error),
        };
        match decided {
            Ok(decided) => shapes::decision(&decided),
            Err(error) => undecided(&error.message),
        }
    }

    async fn call_mind(&self, tool: &str, arguments: MindArguments, caller: &McpCaller) -> Value {
        let MindArguments { mind_id, entity_id, config, .. } = arguments;
        let failed = |error: ApiError| match error.code == MIND_NOT_FOUND {
            true => json!({ "status": "not_found", "mind_id": mind_id, "message": error.message }),
            false => json!({ "status": "error", "mind_id": mind_id, "message": error.message }),
        };
        let key = match MindKey::new(&caller.account, &mind_id) {
            Ok(key) => key,
            Err(error) => return failed(error),
        };
        let linked = || MindKey::new("", &entity_id).map(|key| key.mind_id);
        let body = |queue: &MindQueue| queue.mind().entity_id().map(str::to_owned);
        let called = async {
            Ok(match tool {
                "create_mind" => {
                    let model = config.llm_model.clone();
                    let new = NewMind { entity_id: linked()?, config: config.read(), model };
                    self.minds.create(&key, new).await?;
                    json!({ "status": "created", "mind_id": mind_id, "entity_id": entity_id, "message": null })
                }
                "relink_mind" => {
                    self.minds.command(&key, MindCommand::Link { entity_id: linked()? }).await?;
                    json!({ "status": "relinked", "mind_id": mind_id, "entity_id": entity_id })
                }
                "cleanup_mind" => {
                    let before = body(&self.minds.get(&key).await?);
                    self.minds.command(&key, MindCommand::Release {}).await?;
                    json!({ "status": "released", "mind_id": mind_id, "entity_id": before })
                }
                "consolidate_memories" => {
                    let count = self.minds.consolidate(&key).await?;
                    json!({ "status": "success", "consolidated_count": count })
                }
                _ => {
                    let forgotten = self.minds.forget(&key).await?;
                    json!({ "status": if forgotten { "forgotten" } else { "not_found" }, "mind_id": mind_id })
                }
            })
        };
        let called: Result<Value, ApiError> = called.await;
        called.unwrap_or_else(failed)
    }
}

/// A call of a newer game that came to nothing. Without telemetry: what it cost is not known.
fn undecided(message: &str) -> Value {
    json!({
        "status": "error",
        "action": null,
        "error_message": message,
        "request_id": new_request_id(),
        "protocol_version": PROTOCOL,
    })
}

fn message(error: ApiError) -> String {
    error.message
}

fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
    serde_json::from_value(arguments).map_err(|error| format!("the arguments do not fit: {error}"))
}
