#!/usr/bin/env python3
"""A model in place of a model: lets a real client call one tool of an MCP server, and keeps what the client hands back.

    .ci/mcp-model.py PORT_FILE SEEN_FILE TOOL ARGUMENTS

Listens on this machine and writes its port to PORT_FILE. To a request that offers a tool whose name ends with TOOL it answers with a call of it with
ARGUMENTS, a JSON object. The first request with a result of a tool ends the turn, and what the client shows its model is written to SEEN_FILE.
It speaks what clients speak: Anthropic's messages, OpenAI's responses and chat completions, whole or as a stream of events. It is no model: it shows that a client starts the server with the settings, offers its tools and passes on its result.
"""
import http.server
import json
import os
import pathlib
import sys

BODY_BYTES_MAX = 32 << 20
DONE = "Done."


def ends_with_tool(name):
    return name == TOOL or name.endswith(("_" + TOOL, "." + TOOL, "/" + TOOL))


def texts(value):
    """All strings in a JSON value, one a line."""
    if isinstance(value, str):
        return value
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return "\n".join(filter(None, map(texts, values)))


class Turn:
    """One request: the name of the tool that is offered, what the tool gave, and how an answer is written."""

    def __init__(self, body):
        self.body, self.streams = body, bool(body.get("stream"))


class Messages(Turn):
    def tool(self):
        return next((one["name"] for one in self.body.get("tools", []) if ends_with_tool(one.get("name", ""))), None)

    def results(self):
        for message in self.body.get("messages", []):
            for part in message["content"] if isinstance(message["content"], list) else []:
                if part.get("type") == "tool_result":
                    yield part.get("content")

    def whole(self, tool):
        part = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": ARGUMENTS} if tool else {"type": "text", "text": DONE}
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": self.body.get("model"), "content": [part],
            "stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def events(self, tool):
        whole = self.whole(tool)
        part = whole["content"][0]
        empty = {**part, "input": {}} if tool else {**part, "text": ""}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)} if tool else {"type": "text_delta", "text": DONE}
        yield "message_start", {"message": {**whole, "content": [], "stop_reason": None}}
        yield "content_block_start", {"index": 0, "content_block": empty}
        yield "content_block_delta", {"index": 0, "delta": delta}
        yield "content_block_stop", {"index": 0}
        yield "message_delta", {"delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}, "usage": whole["usage"]}
        yield "message_stop", {}


class Responses(Turn):
    """Tools of a server may be in a namespace of it, which the call then names."""

    def tools(self):
        for one in self.body.get("tools", []):
            if one.get("type") == "namespace":
                yield from ((tool.get("name", ""), one["name"]) for tool in one.get("tools", []))
            else:
                yield one.get("name", ""), None

    def tool(self):
        return next((one for one in self.tools() if ends_with_tool(one[0])), None)

    def results(self):
        for item in self.body.get("input", []) if isinstance(self.body.get("input"), list) else []:
            if item.get("type") == "function_call_output":
                yield item.get("output")

    def item(self, tool):
        if not tool:
            return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": DONE, "annotations": []}]}
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": tool[0], "arguments": json.dumps(ARGUMENTS), "status": "completed"}
        return {**call, "namespace": tool[1]} if tool[1] else call

    def whole(self, tool):
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        return {"id": "resp_1", "object": "response", "created_at": 0, "model": self.body.get("model"), "status": "completed", "output": [self.item(tool)], "usage": usage}

    def events(self, tool):
        whole = self.whole(tool)
        yield "response.created", {"response": {**whole, "status": "in_progress", "output": []}}
        yield "response.output_item.added", {"output_index": 0, "item": whole["output"][0]}
        yield "response.output_item.done", {"output_index": 0, "item": whole["output"][0]}
        yield "response.completed", {"response": whole}


class Chat(Turn):
    def tool(self):
        names = (one.get("function", {}).get("name", "") for one in self.body.get("tools", []))
        return next(filter(ends_with_tool, names), None)

    def results(self):
        return (one.get("content") for one in self.body.get("messages", []) if one.get("role") == "tool")

    def message(self, tool):
        if not tool:
            return {"role": "assistant", "content": DONE}
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": tool, "arguments": json.dumps(ARGUMENTS)}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def choice(self, key, message, tool):
        whole = {"id": "chat_1", "object": f"chat.completion{'.chunk' if key == 'delta' else ''}", "created": 0, "model": self.body.get("model")}
        return {**whole, "choices": [{"index": 0, key: message, "finish_reason": tool}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}

    def reason(self, tool):
        return "tool_calls" if tool else "stop"

    def whole(self, tool):
        return self.choice("message", self.message(tool), self.reason(tool))

    def events(self, tool):
        yield None, self.choice("delta", self.message(tool), None)
        yield None, self.choice("delta", {}, self.reason(tool))
        yield None, "[DONE]"


KINDS = {"/messages": Messages, "/responses": Responses, "/chat/completions": Chat}


def turn_of(path, body):
    kind = next((kind for end, kind in KINDS.items() if path.split("?")[0].endswith(end)), None)
    return kind and kind(body)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_words):
        pass

    def send(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.send(200, "application/json", b'{"object": "list", "data": [], "models": []}')

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_BYTES_MAX:
            return self.send(413, "application/json", b"{}")
        try:
            turn = turn_of(self.path, json.loads(self.rfile.read(length) or b"{}"))
        except json.JSONDecodeError:
            turn = None
        if turn is None:
            return self.send(404, "application/json", b'{"error": {"message": "only requests of a model are answered"}}')
        self.answer(turn)

    def answer(self, turn):
        seen = list(turn.results())
        if seen and not SEEN.exists():
            SEEN.write_text(texts(seen), encoding="utf-8")
        tool = None if seen else turn.tool()
        if not turn.streams:
            return self.send(200, "application/json", json.dumps(turn.whole(tool)).encode())
        self.send(200, "text/event-stream", "".join(map(event, turn.events(tool))).encode())


def event(pair):
    name, data = pair
    if isinstance(data, str):
        return f"data: {data}\n\n"
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" if name else f"data: {json.dumps(data)}\n\n"


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    SEEN, TOOL, ARGUMENTS = pathlib.Path(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    part = pathlib.Path(sys.argv[1] + ".part")
    part.write_text(str(server.server_port), encoding="utf-8")
    os.replace(part, sys.argv[1])
    server.serve_forever()
