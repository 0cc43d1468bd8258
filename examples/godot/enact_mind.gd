# Decides for one NPC of a Godot 4 game: add it as a child of the NPC and ask it every few seconds.
#   $Mind.decide(observation, events)  ->  signal decided(action, parameters)
# enact runs beside the game: `enact serve`. docs/minds.md says what an observation holds.
class_name EnactMind
extends HTTPRequest

signal decided(action: String, parameters: Dictionary)

@export var server := "http://127.0.0.1:8000"
@export var mind_id := "mind_ada"
@export var entity_id := "entity_7"
@export var traits: Array[String] = ["curious"]

var _is_made := false


func decide(observation: Dictionary, events: Array = []) -> void:
	if get_http_client_status() != HTTPClient.STATUS_DISCONNECTED:
		return
	if not _is_made:
		var config := {"traits": traits}
		var new := {"mind_id": mind_id, "entity_id": entity_id, "config": config}
		_is_made = (await _post("/v1/minds", new)).get("status") == "created"
	var body := {"observation": observation, "events": events}
	var answer: Dictionary = await _post("/v1/minds/%s/decide" % mind_id.uri_encode(), body)
	var action: Dictionary = answer.get("action", {"action": "continue", "parameters": {}})
	decided.emit(action["action"], action["parameters"])


func _post(path: String, body: Dictionary) -> Dictionary:
	var headers := PackedStringArray(["Content-Type: application/json"])
	request(server + path, headers, HTTPClient.METHOD_POST, JSON.stringify(body))
	var result: Array = await request_completed
	var answer: Variant = JSON.parse_string(result[3].get_string_from_utf8())
	return answer if answer is Dictionary else {}
