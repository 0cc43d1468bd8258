//! Who may take part in a chorus.

use axum::{Json, extract::State};
use enact_drama::chorus::Agent;
use serde::Serialize;
use utoipa::ToSchema;

use super::ChorusState;

/// Somebody who may take a slot.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Agent)]
pub(super) struct AgentView {
    /// What to give as `agentId`.
    #[schema(example = "claude-sonnet-4-5")]
    id: String,
    #[schema(example = "Claude Sonnet 4.5")]
    name: String,
    /// Whose it is.
    #[schema(example = "Anthropic")]
    provider: String,
    /// A line for people. Says so where the built-in improviser plays it.
    description: String,
    /// For pages.
    #[schema(example = "#cc785c")]
    color: String,
}

impl From<Agent> for AgentView {
    fn from(agent: Agent) -> AgentView {
        AgentView {
            id: agent.id.into(),
            name: agent.name,
            provider: agent.provider,
            description: agent.description,
            color: agent.color,
        }
    }
}

/// List agents
///
/// Everybody who may take a slot in a chorus, in the operator's order.
#[utoipa::path(
    get, path = "/v1/agents", operation_id = "listAgents", tag = "chorus",
    responses((status = 200, description = "The agents.", body = Vec<AgentView>)),
)]
pub(super) async fn list(State(state): State<ChorusState>) -> Json<Vec<AgentView>> {
    Json(state.assembling.agents().into_iter().map(AgentView::from).collect())
}
