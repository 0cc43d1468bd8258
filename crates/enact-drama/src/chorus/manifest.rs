//! The manifest of the files that a chorus leaves, for programs that play them: `session.json`.

use serde::Serialize;

use super::{
    AgentId, Chorus, ChorusEnd, ChorusEvent, ReceivedComment, SlotId, Turn, paths, state::Statement,
};
use crate::{
    Fact, RunId,
    production::Manifest,
    report::for_programs,
    text::escaped_json,
    voice::{PassedOver, VoiceProfile},
};

/// The manifest as it stands, if these facts have changed it. Without a voice there is none.
pub(super) fn manifest(chorus: &Chorus, since: &[Fact<ChorusEvent>]) -> Option<Manifest> {
    chorus.setup.voice.as_ref()?;
    let changes = |fact: &Fact<ChorusEvent>| {
        matches!(
            fact.event,
            ChorusEvent::SlotSpoke { .. }
                | ChorusEvent::CommentsRouted { .. }
                | ChorusEvent::Voiced { .. }
                | ChorusEvent::VoiceFailed { .. }
                | ChorusEvent::Resumed {}
                | ChorusEvent::Ended { .. }
        )
    };
    since.iter().any(changes).then(|| {
        let manifest = SessionManifest {
            session_id: chorus.setup.run,
            created_at: for_programs(chorus.began_at),
            message: &chorus.setup.message,
            turns: Turns {
                turn_1: entries(chorus, Turn::Respond),
                turn_2: entries(chorus, Turn::Comment),
                turn_3: entries(chorus, Turn::Reply),
            },
            ended: chorus.ended,
        };
        let text = serde_json::to_string_pretty(&manifest).expect("plain data");
        Manifest { path: paths::manifest_of(chorus.setup.run), text: escaped_json(&text).into_owned() + "\n" }
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionManifest<'a> {
    session_id: RunId,
    created_at: String,
    message: &'a str,
    turns: Turns<'a>,
    /// Once nothing more is to come.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<ChorusEnd>,
}

#[derive(Serialize)]
struct Turns<'a> {
    turn_1: Vec<ManifestEntry<'a>>,
    turn_2: Vec<ManifestEntry<'a>>,
    turn_3: Vec<ManifestEntry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ManifestEntry<'a> {
    slot_id: SlotId,
    agent_id: &'a AgentId,
    /// Where no language model plays the agent: `improviser`.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    kind: &'static str,
    voice_profile: VoiceProfile,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_slot_id: Option<SlotId>,
    /// Whether the target of a comment was told of it; nothing while that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    delivered: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    received_comments: Vec<ReceivedComment>,
    /// Once the file is there, and whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio_path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken_by: Option<&'a str>,
    /// Those that were to speak before, and why they did not.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    passed_over: &'a [PassedOver],
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// Why there will never be a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio_error: Option<&'a str>,
}

fn entries(chorus: &Chorus, turn: Turn) -> Vec<ManifestEntry<'_>> {
    chorus.said_in(turn).map(|(seat, said)| entry(chorus, turn, seat, said)).collect()
}

fn entry<'a>(chorus: &'a Chorus, turn: Turn, seat: usize, said: &'a Statement) -> ManifestEntry<'a> {
    let slot = chorus.slot(seat);
    let comment = turn == Turn::Comment;
    let routed = chorus.routes.iter().find(|routed| comment && Some(routed.to) == said.target);
    let spoken = said.heard.as_ref().and_then(|heard| heard.as_ref().ok());
    ManifestEntry {
        slot_id: slot,
        agent_id: &chorus.setup.seats[seat].agent.id,
        label: chorus.setup.label_of(&chorus.setup.seats[seat], chorus.fallback_of(seat, said.rank)),
        kind: turn.kind(),
        voice_profile: said.profile,
        text: (!comment).then_some(said.text.as_str()),
        comment: comment.then_some(said.text.as_str()),
        target_slot_id: said.target,
        delivered: routed.map(|routed| routed.from.contains(&slot)),
        received_comments: if turn == Turn::Reply { chorus.received(seat) } else { Vec::new() },
        audio_path: spoken.and(said.path.as_deref()),
        spoken_by: spoken.map(|spoken| spoken.by.as_str()),
        passed_over: spoken.map_or(&[], |spoken| &spoken.passed_over),
        duration_ms: spoken.map(|spoken| spoken.duration_ms),
        audio_error: said.heard.as_ref().and_then(|heard| heard.as_ref().err()).map(String::as_str),
    }
}
