import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { RecordedBody, RecordedCall, RecordedUser } from "./recorded-call.js";

/** The text of a recording, or its pieces. */
export type RecordingText = string | AsyncIterable<string | Uint8Array>;

/** The calls of a recording, in order. Rejects with a `SyntaxError` that names the first malformed line. */
export async function* readRecording(text: RecordingText): AsyncGenerator<RecordedCall, void, void> {
  let number = 0;
  for await (const line of linesOf(text)) {
    number++;
    const call = callOf(parsed(line));
    if (call === undefined) throw new SyntaxError(`line ${number}: not a recorded request`);
    yield call;
  }
}

async function* linesOf(text: RecordingText): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of typeof text === "string" ? [text] : text) {
    const lines = (
      rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }))
    ).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function parsed(line: string): JsonValue {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function callOf(value: JsonValue): RecordedCall | undefined {
  if (!isJsonObject(value)) return undefined;
  const { method, target, user, userAgent, contentType, accept, status } = value;
  const caller = userOf(user);
  if (typeof method !== "string" || typeof target !== "string" || typeof status !== "number")
    return undefined;
  if (!target.startsWith("/") || caller === undefined || typeof userAgent !== "string") return undefined;
  return {
    method,
    target,
    user: caller,
    userAgent,
    contentType: typeof contentType === "string" ? contentType : undefined,
    accept: typeof accept === "string" ? accept : undefined,
    body: bodyOf(value.body),
    status,
    answer: bodyOf(value.answer),
  };
}

function userOf(value: JsonValue | undefined): RecordedUser | undefined {
  if (!isJsonObject(value) || typeof value.name !== "string" || !Array.isArray(value.groups))
    return undefined;
  return { name: value.name, groups: value.groups.filter((group) => typeof group === "string") };
}

function bodyOf(value: JsonValue | undefined): RecordedBody | undefined {
  if (!isJsonObject(value)) return undefined;
  if (value.json !== undefined) return { json: value.json };
  return { omitted: typeof value.omitted === "string" ? value.omitted : "" };
}
