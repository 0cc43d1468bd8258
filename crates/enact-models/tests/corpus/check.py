#!/usr/bin/env python3
"""Lets the official Python clients read every answer of this corpus.

    python3 -m venv venv && venv/bin/pip install anthropic openai google-genai ollama
    venv/bin/python check.py            # compare; exit 1 if an expectation is not what the client read
    venv/bin/python check.py --record   # besides, write clients.json: what each client read
    venv/bin/python check.py DIR NAME…  # another folder; only these cases

Each case is served byte for byte on a loopback port and asked for once, without retries. An expectation must be what
the client read, or the case must say under `differs` why enact reads more, or less, than the client does.
"""

import base64, json, logging, os, re, socket, sys, threading, time, warnings
from pathlib import Path

os.environ.update(NO_PROXY="*", no_proxy="*")
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
import anthropic, google.genai, ollama, openai  # noqa: E402

STOPS = {
    "end": "end_turn stop_sequence stop STOP",
    "length": "max_tokens model_context_window_exceeded length MAX_TOKENS CONTINUATION",
    "tool": "tool_use tool_calls function_call",
    "pause": "pause_turn",
    "refused": "refusal content_filter SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY"
    " IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION",
}
STOPS = {word: stop for stop, words in STOPS.items() for word in words.split()}

# Which status a client must have been told for an error of each kind. 0: the error came with status 200.
STATUSES = {
    "authentication": {400, 401, 403}, "no_credit": {400, 402, 403, 429, 0}, "unknown_model": {400, 404, 0},
    "rate_limited": {429, 0}, "overloaded": {503, 529, 0}, "server": {408, 500, 502, 504, 520, 524, 0},
    "too_long": {400, 413, 422, 429, 500, 0}, "schema_rejected": {400, 422, 500},
    "bad_request": {400, 404, 405, 409, 413, 415, 422, 0}, "refused": {400, 403, 0},
}


def pieces(case):
    """The body as it is written to the socket, piece by piece."""
    raw = lambda piece: piece.encode() if isinstance(piece, str) else base64.b64decode(piece["base64"])
    if "chunks" in case:
        return [raw(chunk) for chunk in case["chunks"]]
    if "lines" in case:
        return ["".join(line + "\n" for line in case["lines"]).encode()]
    if "json" in case:
        return [json.dumps(case["json"], ensure_ascii=False, separators=(",", ":")).encode()]
    return [base64.b64decode(case["bodyBase64"])] if "bodyBase64" in case else [case["body"].encode()]


class Server:
    """Gives the case's answer to every request. `Server.case` says which."""

    def __init__(self):
        self.case, self.asked, self.listener = None, 0, socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            try:
                self.answer(connection, self.case)
            except OSError:
                pass  # The client hung up, which it may.
            finally:
                connection.close()

    def answer(self, connection, case):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = b""
        while b"\r\n\r\n" not in request:
            request += connection.recv(65536)
        head, _, body = request.partition(b"\r\n\r\n")
        length = int((re.search(rb"(?i)content-length: *(\d+)", head) or [0, 0])[1])
        while len(body) < length:
            body += connection.recv(65536)
        self.asked += 1
        headers = "".join(f"{name}: {value}\r\n" for name, value in case.get("headers", {}).items())
        framing = "" if case["status"] == 204 else "transfer-encoding: chunked\r\n"
        connection.sendall(f"HTTP/1.1 {case['status']} -\r\n{headers}{framing}connection: close\r\n\r\n".encode())
        for piece in pieces(case) if framing else []:
            if piece:
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                time.sleep(0.01)  # The client reads this piece before it gets the next.
        if framing and not case.get("cut"):
            connection.sendall(b"0\r\n\r\n")


def anthropic_reads(url, streamed, said):
    client = anthropic.Anthropic(api_key="k", base_url=url, max_retries=0, timeout=5)
    ask = dict(model="m", max_tokens=64, messages=[{"role": "user", "content": "Well?"}])

    def note(message):
        said["text"] = "".join(block.text for block in message.content if block.type == "text")
        said["stop"] = message.stop_reason
        if use := getattr(message, "usage", None):
            details = use.output_tokens_details
            said["usage"] = counts(use.input_tokens, use.cache_read_input_tokens, use.cache_creation_input_tokens,
                                   use.output_tokens, details and details.thinking_tokens)

    if not streamed:
        return note(client.messages.create(**ask))
    with client.messages.stream(**ask) as stream:
        for _ in stream:
            note(stream.current_message_snapshot)


def openai_reads(url, streamed, said):
    client = openai.OpenAI(api_key="k", base_url=url + "/v1", max_retries=0, timeout=5)
    ask = dict(model="m", messages=[{"role": "user", "content": "Well?"}])

    def note(answer, part):
        for choice in [c for c in answer.choices or [] if c.index == 0] if streamed else answer.choices[:1]:
            message = getattr(choice, part)
            said["text"] += message.content or ""
            refused = message.refusal or said["stop"] == "refusal"
            said["stop"] = "refusal" if refused else choice.finish_reason or said["stop"]
        if answer.usage:
            tokens, told = answer.usage, answer.usage.prompt_tokens_details
            hidden = tokens.completion_tokens_details
            read, written = (told.cached_tokens or 0, told.cache_write_tokens or 0) if told else (0, 0)
            said["usage"] = counts(tokens.prompt_tokens - read - written, read, written, tokens.completion_tokens,
                                   hidden and hidden.reasoning_tokens)
            said.update({"cost": tokens.cost} if hasattr(tokens, "cost") else {})

    if not streamed:
        return note(client.chat.completions.create(**ask), "message")
    for chunk in client.chat.completions.create(**ask, stream=True, stream_options={"include_usage": True}):
        note(chunk, "delta")


def gemini_reads(url, streamed, said):
    client = google.genai.Client(api_key="k", http_options={"base_url": url, "timeout": 5000})
    ask = dict(model="m", contents="Well?", config={"automatic_continuation": False})

    def note(answer):
        said["text"] += answer.text or ""
        if answer.prompt_feedback and answer.prompt_feedback.block_reason:
            said["stop"] = "SAFETY"
        for candidate in (answer.candidates or [])[:1]:
            said["stop"] = candidate.finish_reason.value if candidate.finish_reason else said["stop"]
        if use := answer.usage_metadata:
            cached, thoughts = use.cached_content_token_count or 0, use.thoughts_token_count or 0
            said["usage"] = counts((use.prompt_token_count or 0) - cached + (use.tool_use_prompt_token_count or 0),
                                   cached, 0, (use.candidates_token_count or 0) + thoughts, thoughts)

    if not streamed:
        return note(client.models.generate_content(**ask))
    for chunk in client.models.generate_content_stream(**ask):
        note(chunk)


def ollama_reads(url, streamed, said):
    def note(answer):
        said["text"] += answer.message.content or ""
        if answer.done:
            said["stop"] = answer.done_reason
            said["usage"] = counts(answer.prompt_eval_count, 0, 0, answer.eval_count, 0)

    answers = ollama.Client(url, timeout=5).chat("m", [{"role": "user", "content": "Well?"}], stream=streamed)
    for answer in answers if streamed else [answers]:
        note(answer)


def counts(*numbers):
    """Tokens under enact's names, without zeros. 0/0, and what is no count, is unknown."""
    if any(type(n or 0) is not int or not 0 <= (n or 0) < 10**12 for n in numbers) or None in (numbers[0], numbers[3]):
        return None
    told = {k: n for k, n in zip(("input", "cacheRead", "cacheWrite", "output", "reasoning"), numbers) if n}
    return {"input": 0, "output": 0, **told} if told else None


def read(server, case):
    said, server.case, server.asked = {"text": "", "stop": None, "usage": None}, case, 0
    try:
        globals()[case["wire"] + "_reads"](server.url, case["streamed"], said)
    except Exception as error:
        status = getattr(error, "status_code", None) or getattr(error, "code", None)
        said["error"] = type(error).__name__
        said["status"] = status if isinstance(status, int) and status > 0 and status != 200 else 0
    assert server.asked == 1, f"asked {server.asked} times"
    return said


def agrees(expect, said):
    """Whether the expectation is what the client read, or a name for how it failed."""
    stop = STOPS.get(said["stop"], "other") if said["stop"] else None
    if expect["usage"] != said["usage"] and (expect["usage"] or expect.get("atLeast") != said["usage"]):
        return False
    if expect.get("text", "") != said["text"] or expect.get("cost") != said.get("cost"):
        return False
    kind = expect.get("fails")
    if not kind:
        return "error" not in said and stop == expect["stop"]
    if "error" in said:
        return said["status"] in STATUSES.get(kind, {0})
    return {"refused": stop == "refused", "truncated": stop is None, "empty": not said["text"].strip(),
            "no_tokens_left": stop == "length" and not said["text"].strip()}.get(kind, False)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--record"]
    folder = Path(arguments.pop(0)) if arguments and Path(arguments[0]).is_dir() else Path(__file__).parent
    server, faults, readings, names = Server(), 0, {}, set()
    for file in sorted(folder.glob("*.json")):
        for case in json.loads(file.read_text()) if file.name != "clients.json" else []:
            name = case["name"]
            if name in names:
                print(f"{file.name}: {name}: there are two of this name")
                faults += 1
            names.add(name)
            if arguments and name not in arguments or "endless" in case:
                continue  # The clients would read an endless answer for ever.
            said = readings[name] = read(server, case)
            if agrees(case["expect"], said) == ("differs" in case):
                faults += 1
                print(f"{file.name}: {name}: `differs` is {'stale' if 'differs' in case else 'missing'}")
                print(f"    expected {json.dumps(case['expect'], ensure_ascii=False)}")
                print(f"    client   {json.dumps(said, ensure_ascii=False)}")
    print(f"{len(names)} cases, {len(readings)} read by the clients, {faults} faults")
    if "--record" in sys.argv and not arguments:
        clients = {module.__name__: version(name) for module, name in
                   ((anthropic, "anthropic"), (openai, "openai"), (google.genai, "google-genai"), (ollama, "ollama"))}
        lines = [f"  {json.dumps(name)}: {json.dumps(said, ensure_ascii=False)}" for name, said in readings.items()]
        text = '{\n  "clients": %s,\n%s\n}\n' % (json.dumps(clients), ",\n".join(lines))
        (folder / "clients.json").write_text(text)
    sys.exit(bool(faults))


def version(package):
    from importlib.metadata import version as installed
    return installed(package)


if __name__ == "__main__":
    main()
