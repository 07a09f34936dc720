"""A session of the official Python SDK with a server of grounds."""

import asyncio
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM, FOLDER, STATE = sys.argv[1:4]
SERVER = StdioServerParameters(
    command=PROGRAM, args=["mcp", "--no-model"], cwd=FOLDER, env={"XDG_CONFIG_HOME": "/nonexistent", "XDG_STATE_HOME": STATE, "PATH": "/usr/bin:/bin"}
)


def field(result, *names):
    """A field by its name in either generation of the SDK."""
    for name in names:
        if hasattr(result, name):
            return getattr(result, name)
    raise AssertionError(f"none of {names} in {result!r}")


async def call(session, tool, arguments, outcome, head, is_error=False):
    result = await session.call_tool(tool, arguments)
    structured, error = field(result, "structured_content", "structuredContent"), field(result, "is_error", "isError")
    assert structured["outcome"] == outcome, (tool, arguments, structured)
    assert bool(error) == is_error, (tool, arguments, result)
    assert result.content[0].text.startswith(head), result.content[0].text
    return structured


async def session_one():
    async with stdio_client(SERVER) as (read, write), ClientSession(read, write) as session:
        begun = await session.initialize()
        assert "data from strangers" in begun.instructions
        tools = await session.list_tools()
        assert [tool.name for tool in tools.tools] == ["ask", "check", "verify", "review", "show"]
        found = await call(session, "ask", {"question": "where is PageCache defined?"}, "answered", "ANSWERED")
        assert found["citations"] == {"src/cache.rs": ["2: pub struct PageCache;"]}
        await call(session, "ask", {"question": "where is NoSuchThing defined?"}, "insufficient", "REFUSED")
        await call(session, "ask", {"questoin": "x"}, "usage", "NOT RUN", is_error=True)
        await call(session, "ask", {"question": "x", "repo": "../.."}, "usage", "NOT RUN", is_error=True)
        await call(session, "verify", {"claim": "The default timeout is 30 seconds", "corpus": "docs"}, "true", "TRUE")
        await call(session, "verify", {"claim": "The default timeout is 60 seconds", "corpus": "docs"}, "false", "FALSE")
        Path(FOLDER, "bad.py").write_text("import subprocess\n\ndef go(name):\n    subprocess.run(f'ls {name}', shell=True)\n")
        review = await session.call_tool("review", {})
        assert field(review, "structured_content", "structuredContent")["outcome"] in ("passes", "blocks"), review
        told = []

        async def on_progress(progress, total, message):
            told.append((progress, message))

        await session.call_tool("ask", {"question": "who calls fill_cache?"}, progress_callback=on_progress)
        assert told and all(message for _, message in told), told
        many = [session.call_tool("ask", {"question": "where is fill_cache defined?"}) for _ in range(20)]
        for result in await asyncio.gather(*many):
            assert field(result, "structured_content", "structuredContent")["outcome"] == "answered"
        templates = await session.list_resource_templates()
        assert len(field(templates, "resource_templates", "resourceTemplates")) == 3


asyncio.run(session_one())
print("all is well")
