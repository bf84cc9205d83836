import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { RecordedBody, RecordedCall, RecordedUser } from "./recorded-call.js";

/** The calls of a recording. Throws a `SyntaxError` that names the line that is none. */
export function readRecording(text: string): readonly RecordedCall[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const call = callOf(parsed(line));
    if (call === undefined) throw new SyntaxError(`line ${index + 1}: not a recorded request`);
    return call;
  });
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
  const { method, target, user, userAgent, contentType, status } = value;
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
