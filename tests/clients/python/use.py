"""A client that was generated from the served document, used as its users would."""

import json
import os
from http import HTTPStatus
from typing import TypeVar
from uuid import UUID, uuid4

import httpx

from enact_client import AuthenticatedClient, Client
from enact_client.api.chorus import chat
from enact_client.api.costs import get_run_costs
from enact_client.api.runs import (
    follow_run,
    fork_run,
    get_audio,
    get_log,
    get_result,
    get_run,
    get_transcript,
    list_runs,
    play_scene,
)
from enact_client.api.server import get_health
from enact_client.api.steering import cancel_run, pause_run, post_note, step_run
from enact_client.models import (
    ChatRequest,
    ChorusResult,
    ErrorResponse,
    Health,
    NewFork,
    NewNote,
    NewScene,
    ProductionName,
    Run,
    RunStatus,
    SceneConfig,
    SceneEndReason,
    SceneResult,
    SceneRun,
    SlotRequest,
    TranscriptFormat,
)
from enact_client.types import Response

URL = os.environ["ENACT_URL"]
client = AuthenticatedClient(base_url=URL, token=os.environ["ENACT_TOKEN"], timeout=httpx.Timeout(60))

T = TypeVar("T")


def good(answer: "T | ErrorResponse | None") -> T:
    """What was asked for, or an error that says what was wrong."""
    assert answer is not None
    assert not isinstance(answer, ErrorResponse), answer.error.message
    return answer


def late(name: str, **more: int) -> SceneConfig:
    """What has a default may be left out."""
    scene = SceneConfig(
        name=name,
        prompt="Bob apologizes to Alice for being late. Alice accepts.",
        characters=["alice", "bob"],
    )
    if "max_beats" in more:
        scene.max_beats = more["max_beats"]
    return scene


def play(scene: SceneConfig) -> UUID:
    key = str(uuid4())
    first = good(play_scene.sync(client=client, body=NewScene(config=scene), idempotency_key=key))
    again = play_scene.sync_detailed(client=client, body=NewScene(config=scene), idempotency_key=key)
    assert good(again.parsed).run_id == first.run_id
    assert again.headers["idempotent-replayed"] == "true"
    return first.run_id


def follow(run: UUID) -> list[str]:
    """The kinds of all events of a run, up to its end."""
    kinds: list[str] = []
    request = follow_run._get_kwargs(run)
    with client.get_httpx_client().stream(**request, timeout=60) as events:
        for line in events.iter_lines():
            if line.startswith("event: "):
                kinds.append(line.removeprefix("event: "))
    assert kinds[-1] == "end", kinds
    return kinds


def refused(answer: Response[T], status: HTTPStatus, code: str) -> ErrorResponse:
    assert answer.status_code == status, answer.content
    assert isinstance(answer.parsed, ErrorResponse)
    assert answer.parsed.success is False
    assert answer.parsed.error.code == code, answer.parsed
    return answer.parsed


def scenes_are_played_listed_read_and_forked() -> None:
    run = play(late("late"))
    assert "line_added" in follow(run)

    listed = list_runs.sync(
        client=client, status=[RunStatus.PLAYING, RunStatus.FINISHED], production=ProductionName.SCENE, limit=5
    )
    [found] = [one for one in good(listed).runs if one.run_id == run]
    assert isinstance(found, Run)
    assert found.status is RunStatus.FINISHED

    details = good(get_run.sync(run, client=client))
    assert isinstance(details, SceneRun)
    assert details.metadata is not None and details.metadata.character_count == 2

    result = good(get_result.sync(run, client=client))
    assert isinstance(result, SceneResult)
    assert result.success
    assert result.output_path == f"/v1/runs/{run}/"
    assert result.transcript.startswith("SCENE: Late\n")
    assert result.metadata.run_id == run

    for form in TranscriptFormat:
        answer = get_transcript.sync_detailed(run, client=client, format_=form)
        assert answer.status_code == HTTPStatus.OK, form
        if form is TranscriptFormat.TXT:
            assert answer.content.decode() == result.transcript
        if form is TranscriptFormat.DEBUG:
            assert all("message" in json.loads(line) for line in answer.content.splitlines())
    assert len(good(get_log.sync(run, client=client)).splitlines()) == found.events

    costs = good(get_run_costs.sync(run, client=client))
    assert costs.costs.by_character["alice"].calls > 0

    fork = good(fork_run.sync(run, client=client, body=NewFork(beat=0)))
    follow(fork.run_id)
    forked = good(get_run.sync(fork.run_id, client=client))
    assert isinstance(forked, SceneRun)
    assert forked.parent == run


def scenes_are_steered() -> None:
    run = play(late("steered", max_beats=1000))
    paused = good(pause_run.sync(run, client=client))
    noted = good(post_note.sync(run, client=client, body=NewNote(to="bob", text="You lie.")))
    assert noted.command_id > paused.command_id
    unfinished = get_result.sync_detailed(run, client=client)
    refused(unfinished, HTTPStatus.CONFLICT, "RUN_UNFINISHED")
    good(step_run.sync(run, client=client))
    good(cancel_run.sync(run, client=client))
    assert "noted" in follow(run)
    result = good(get_result.sync(run, client=client))
    assert isinstance(result, SceneResult)
    assert result.metadata.reason is SceneEndReason.CANCELLED


def refusals_say_what_is_wrong() -> None:
    scene = late("wrong", max_beats=0)
    wrong = play_scene.sync_detailed(client=client, body=NewScene(config=scene))
    error = refused(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "INVALID_CONFIG")
    assert error.error.context.provided == scene.to_dict()
    missing = get_run.sync_detailed(uuid4(), client=client)
    refused(missing, HTTPStatus.NOT_FOUND, "RUN_NOT_FOUND")
    stranger = AuthenticatedClient(base_url=URL, token="not a token of this server")
    refused(list_runs.sync_detailed(client=stranger), HTTPStatus.UNAUTHORIZED, "UNAUTHORIZED")


def choruses_are_told_and_heard() -> None:
    asked = ChatRequest(message="What does rain sound like?", slots=[SlotRequest(slot_id=1, agent_id="gpt-4o")])
    told = good(chat.sync(client=client, body=asked))
    events = [json.loads(line.removeprefix("data: ")) for line in told.splitlines() if line.startswith("data: ")]
    [path] = [event["audioPath"] for event in events if "audioPath" in event]
    audio = good(get_audio.sync(path, client=client))
    assert audio.payload.read(4) == b"RIFF"
    result = good(get_result.sync(UUID(events[-1]["sessionId"]), client=client))
    assert isinstance(result, ChorusResult)
    assert result.metadata.completed_slots == 1


def open_routes_need_no_token() -> None:
    health = get_health.sync(client=Client(base_url=URL))
    assert isinstance(health, Health)
    assert health.ready


for test in [
    scenes_are_played_listed_read_and_forked,
    scenes_are_steered,
    refusals_say_what_is_wrong,
    choruses_are_told_and_heard,
    open_routes_need_no_token,
]:
    test()
    print(f"ok: {test.__name__}")
