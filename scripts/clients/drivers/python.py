"""The official SDKs of three vendors in Python; CLIENT says which."""

import base64
import json
import os
import re

BASE, KEY, MODEL, CLIENT = (os.environ[name] for name in ("BASE", "KEY", "MODEL", "CLIENT"))
PNG = open(os.environ["PNG"], "rb").read()
PDF = open(os.environ["PDF"], "rb").read()
PROMPT = 'CALL get_weather {"city":"Rome"}\nCALL get_weather {"city":"Oslo"}'
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
b64 = lambda data: base64.b64encode(data).decode()


def check(name, work, expected):
    try:
        said = str(work())
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    print(json.dumps({"check": name, "ok": bool(re.search(expected, said)), "said": said[:300]}), flush=True)


def openai_chat():
    from openai import OpenAI

    client = OpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0)
    tools = [{"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}]

    def loop(messages, **more):
        for _ in range(5):
            with client.chat.completions.stream(model=MODEL, messages=messages, **more) as stream:
                message = stream.get_final_completion().choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return message.content
            for call in message.tool_calls:
                messages.append({"role": "tool", "tool_call_id": call.id, "content": "sunny"})

    history = [{"role": "user", "content": PROMPT}]
    user = lambda *parts: [{"role": "user", "content": [{"type": "text", "text": "x"}, *parts]}]
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{b64(PNG)}"}}
    file = {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{b64(PDF)}"}}
    check("tools", lambda: loop(history, tools=tools), "results:2")
    check("resume", lambda: loop([*history, {"role": "user", "content": "again"}], tools=tools), "turns:[1-9]")
    check("image", lambda: loop(user(image)), "image:[1-9]")
    check("pdf", lambda: loop(user(file)), "pdf:[1-9]")


def anthropic():
    from anthropic import Anthropic

    client = Anthropic(base_url=BASE, api_key=KEY, max_retries=0)
    tools = [{"name": "get_weather", "input_schema": SCHEMA}]
    text = lambda message: "".join(block.text for block in message.content if block.type == "text")

    def loop(messages, **more):
        for _ in range(5):
            with client.messages.stream(model=MODEL, max_tokens=500, messages=messages, **more) as stream:
                message = stream.get_final_message()
            messages.append({"role": "assistant", "content": message.content})
            calls = [block for block in message.content if block.type == "tool_use"]
            if not calls:
                return text(message)
            results = [{"type": "tool_result", "tool_use_id": call.id, "content": "sunny"} for call in calls]
            messages.append({"role": "user", "content": results})

    history = [{"role": "user", "content": PROMPT}]
    block = lambda kind, media, data: [
        {"role": "user", "content": [{"type": kind, "source": {"type": "base64", "media_type": media, "data": b64(data)}}]}
    ]
    check("tools", lambda: loop(history, tools=tools), "results:2")
    check("resume", lambda: loop([*history, {"role": "user", "content": "again"}], tools=tools), "turns:[1-9]")
    check("image", lambda: loop(block("image", "image/png", PNG)), "image:[1-9]")
    check("pdf", lambda: loop(block("document", "application/pdf", PDF)), "pdf:[1-9]")


def google():
    from google import genai
    from google.genai import types

    client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=BASE))

    def get_weather(city: str) -> str:
        """Weather of a city."""
        return f"sunny in {city}"

    chat = client.chats.create(model=MODEL, config=types.GenerateContentConfig(tools=[get_weather]))
    see = lambda data, media: client.models.generate_content(
        model=MODEL, contents=["x", types.Part.from_bytes(data=data, mime_type=media)]
    ).text
    check("tools", lambda: chat.send_message(PROMPT).text, "results:2")
    check("resume", lambda: chat.send_message("again").text, "turns:[1-9]")
    check("image", lambda: see(PNG, "image/png"), "image:[1-9]")
    check("pdf", lambda: see(PDF, "application/pdf"), "pdf:[1-9]")


{"openai": openai_chat, "anthropic": anthropic, "google": google}[CLIENT]()
