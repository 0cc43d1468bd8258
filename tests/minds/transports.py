"""A real MCP client uses every tool and resource over all three transports, in both generations of games."""

import asyncio
import json
import os
import subprocess
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client

try:
    from mcp.client.streamable_http import streamable_http_client
except ImportError:
    from mcp.client.streamable_http import streamablehttp_client as streamable_http_client

ENACT = os.environ["ENACT"]
FOLDER, CAST = sys.argv[1], sys.argv[2]

TOOLS = {
    "create_agent", "process_observation", "cleanup_agent",
    "create_mind", "decide_action", "consolidate_memories", "cleanup_mind", "relink_mind", "forget_mind",
    "run_scene", "list_characters", "get_transcript",
}
TEXT = """# Current Status

## Position
You are at position (0,0).

## Position
You are at position (0,0).

## Controller State
- State: {state}

## Needs
- Hunger: {hunger}%
- Fun: 80%

## Visible Items

### Apple (at position ({x},0))
Interactions:
- **eat**: Eat it Effects: Hunger (+)

# Environment
"""
EIGHT = {
    "move_to", "interact_with", "wander", "wait", "continue", "act_in_interaction", "cancel_interaction",
    "respond_to_interaction_bid",
}


def text(hunger=5, x=1, state="IDLE"):
    return TEXT.format(hunger=hunger, x=x, state=state)


def observation(entity, hunger=5, x=1, state="idle"):
    return {
        "entity_id": entity,
        "current_simulation_time": 5,
        "status": {"position": [0, 0], "movement_locked": False, "current_interaction": {},
                   "activity_state": {"state_name": state}},
        "needs": {"needs": {"hunger": hunger}, "max_value": 100},
        "vision": {"visible_entities": [{
            "entity_id": "apple_1", "display_name": "Apple", "position": [x, 0],
            "interactions": {"eat": {"name": "eat", "description": "", "needs_filled": ["hunger"],
                                     "needs_drained": []}}}]},
    }


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    return json.loads(result.content[0].text)


async def read(session, uri):
    return json.loads((await session.read_resource(uri)).contents[0].text)


async def use(session, door):
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert set(tools) == TOOLS, tools.keys()
    templates = (await session.list_resource_templates()).resource_templates
    assert len(templates) == 4, templates

    # Older games: an agent that is not known is made, and asked for its info after every decision.
    agent = f"entity_{door}"
    answer = await call(session, "process_observation", agent_id=agent, observation=text(), available_actions=[])
    assert answer == {"action": "interact_with", "parameters": {"entity_name": "Apple", "interaction_name": "eat"}}
    info = await read(session, f"agent://{agent}/info")
    assert info["status"] == "active" and isinstance(info["working_memory"], str), info
    made = {"agent_id": agent, "config": {"traits": ["shy"], "initial_working_memory": "Hm.", "initial_long_term_memories": []}}
    for _ in range(2):
        assert (await call(session, "create_agent", **made)) == {"status": "created", "agent_id": agent}
    assert (await call(session, "cleanup_agent", agent_id=agent))["status"] == "removed"
    assert (await call(session, "cleanup_agent", agent_id="nobody"))["status"] == "removed"
    assert (await read(session, "agent://nobody/info"))["status"] == "error"
    # A tavern's ten minutes: 200 cycles of one body that walks to an apple and eats.
    x, hunger, state, eaten = 7, 40, "IDLE", 0
    for _ in range(200):
        answer = await call(session, "process_observation", agent_id=agent, observation=text(hunger, x, state))
        assert answer["action"] in EIGHT, answer
        hunger, state = max(0, hunger - 1), "IDLE"
        if answer["action"] == "move_to":
            x = 1
        elif answer["action"] == "interact_with":
            hunger, x, eaten = 90, 7, eaten + 1
    assert eaten > 1, eaten

    # Newer games.
    mind, entity = f"mind_{door}", f"body_{door}"
    unknown = await call(session, "decide_action", mind_id=mind, observation=observation(entity))
    assert unknown["status"] == "error" and unknown["error_message"] == f"Mind {mind} not found", unknown
    assert "telemetry" not in unknown and unknown["action"] is None
    for tool in ("relink_mind", "cleanup_mind", "forget_mind"):
        assert (await call(session, tool, mind_id=mind, entity_id=entity))["status"] == "not_found", tool
    assert await read(session, f"mind://{mind}/state") == {"error": f"Mind {mind} not found"}
    config = {"traits": ["bold"], "memory_storage_path": "/nowhere", "embedding_model": "x", "llm_model": "http://evil",
              "initial_long_term_memories": ["I was a miller."], "personality_dimensions": {"openness": 0.5}}
    made = await call(session, "create_mind", mind_id=mind, entity_id=entity, config=config)
    assert made == {"status": "created", "mind_id": mind, "entity_id": entity, "message": None}, made
    done = [{"timestamp": 1, "event_type": "INTERACTION_FINISHED", "payload": {"interaction_name": "sit"}}]
    answer = await call(session, "decide_action", mind_id=mind, observation=observation(entity), events=done)
    assert answer["status"] == "success" and answer["protocol_version"] == 1 and len(answer["request_id"]) == 8
    assert answer["action"] == {"action": "interact_with", "parameters": {"entity_id": "apple_1", "interaction_name": "eat"}}
    assert answer["telemetry"]["provenance"] == "metered" and answer["telemetry"]["model_calls"] == 0
    misrouted = await call(session, "decide_action", mind_id=mind, observation=observation("other"))
    assert misrouted["status"] == "error", misrouted
    state = await read(session, f"mind://{mind}/state")
    assert state["entity_id"] == entity and state["daily_memories_count"] == 1, state
    assert (await read(session, f"mind://{mind}/working_memory"))["situation_assessment"], state
    assert (await read(session, f"mind://{mind}/daily_memories"))[0]["importance"] in range(1, 11)
    kept = await call(session, "consolidate_memories", mind_id=mind)
    assert kept == {"status": "success", "consolidated_count": 1}, kept
    released = await call(session, "cleanup_mind", mind_id=mind)
    assert released == {"status": "released", "mind_id": mind, "entity_id": entity}, released
    gone = await call(session, "decide_action", mind_id=mind, observation=observation(entity))
    assert gone["status"] == "error", gone
    linked = await call(session, "relink_mind", mind_id=mind, entity_id="body_2")
    assert linked["status"] == "relinked", linked
    assert (await read(session, f"mind://{mind}/state"))["long_term_memory_count"] == 2
    # Three calls at once: the newest gets an action, and nothing is lost.
    three = [call(session, "decide_action", mind_id=mind, observation=observation("body_2")) for _ in range(3)]
    actions = [answer["action"]["action"] for answer in await asyncio.gather(*three)]
    assert actions[2] == "interact_with" and set(actions) <= {"continue", "interact_with"}, actions
    x, hunger, eaten = 7, 40, 0
    for minute in range(200):
        told = observation("body_2", hunger=hunger, x=x)
        told["current_simulation_time"] = minute
        answer = await call(session, "decide_action", mind_id=mind, observation=told)
        assert answer["action"]["action"] in EIGHT, answer
        hunger = max(0, hunger - 1)
        if answer["action"]["action"] == "move_to":
            x = 1
        elif answer["action"]["action"] == "interact_with":
            hunger, x, eaten = 90, 7, eaten + 1
    assert eaten > 1, eaten
    assert (await call(session, "forget_mind", mind_id=mind))["status"] == "forgotten"
    assert (await call(session, "forget_mind", mind_id=mind))["status"] == "not_found"

    # Scenes.
    names = [one["name"] for one in (await call(session, "list_characters"))["characters"]]
    assert "alice" in names and "bob" in names, names
    config = {"name": "late", "characters": ["alice", "bob"], "maxBeats": 3,
              "prompt": "Bob apologizes to Alice for being late. Alice accepts."}
    played = await call(session, "run_scene", config=config)
    assert played["status"] == "ended" and "SCENE END" in played["transcript"], played
    again = await call(session, "get_transcript", run_id=played["run_id"])
    assert again["transcript"] == played["transcript"]
    wrong = await session.call_tool("run_scene", {"scene": "nowhere"})
    assert wrong.is_error if hasattr(wrong, "is_error") else wrong.isError
    print(f"{door}: ok", flush=True)


@asynccontextmanager
async def served():
    command = [ENACT, "mcp", "--port", "0", "--data-dir", f"{FOLDER}/http", "--cast-dir", CAST]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        greeting = process.stdout.readline()
        yield greeting.split(" ")[3]
    finally:
        process.terminate()
        process.wait()


async def main():
    parameters = StdioServerParameters(command=ENACT, args=["mcp", "--data-dir", f"{FOLDER}/stdio", "--cast-dir", CAST])
    async with stdio_client(parameters) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        await use(session, "stdio")
    async with served() as address:
        async with streamable_http_client(f"{address}/mcp") as streams, ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            await use(session, "http")
        async with sse_client(f"{address}/sse") as streams, ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            await use(session, "sse")


asyncio.run(main())
