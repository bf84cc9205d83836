import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { differences, type FieldChange } from "../history/object-history.js";
import { comparable } from "./comparable.js";
import { KnownValues } from "./known-values.js";
import { type RecordingText, readRecording } from "./read-recording.js";
import type { RecordedCall } from "./recorded-call.js";

/** Where a recording is replayed. */
export interface ReplayTarget {
  ask(request: ReplayRequest): Promise<ReplayAnswer>;
}

export interface ReplayRequest {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  /** Undefined: none. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly user: RecordedCall["user"];
}

export interface ReplayAnswer {
  readonly status: number;
  readonly text: string;
}

/** A request that was answered differently from the recording. */
export interface ReplayDifference {
  /** Line number in the recording. */
  readonly line: number;
  readonly request: string;
  /** `before` is the recorded value. */
  readonly changes: readonly FieldChange[];
}

export interface ReplayReport {
  readonly replayed: number;
  /** Requests that could not be sent, because their bodies were not recorded. */
  readonly skipped: number;
  readonly differences: readonly ReplayDifference[];
}

/** How long controllers may take to reach the recorded state. */
const settleMs = 3000;
const pauseMs = 50;

/**
 * Sends the requests of a recording in their order, each after the answer to the one before, and compares the answers. A read that differs
 * is repeated for a while, because controllers take time. Rejects with a `SyntaxError` for a text that is not a recording.
 */
export async function replayRecording(text: RecordingText, target: ReplayTarget): Promise<ReplayReport> {
  const known = new KnownValues();
  const found: ReplayDifference[] = [];
  let replayed = 0;
  let skipped = 0;
  let line = 0;
  for await (const call of readRecording(text)) {
    line++;
    const request = requestOf(call, known);
    if (request === undefined) {
      skipped++;
      continue;
    }
    replayed++;
    const changes = await answered(target, { request, call, known });
    if (changes.length > 0) {
      found.push({ line, request: `${call.method} ${call.target}`, changes });
    }
  }
  return { replayed, skipped, differences: found };
}

function requestOf(call: RecordedCall, known: KnownValues): ReplayRequest | undefined {
  const { method, target, user, userAgent, contentType, accept = "application/json", body } = call;
  if (body !== undefined && "omitted" in body) return undefined;
  return {
    method,
    target: known.inTarget(target),
    body: body === undefined ? undefined : JSON.stringify(known.inBody(body.json)),
    headers: {
      accept,
      ...(userAgent !== "" && { "user-agent": userAgent }),
      ...(contentType !== undefined && { "content-type": contentType }),
    },
    user,
  };
}

async function answered(
  target: ReplayTarget,
  {
    request,
    call,
    known,
  }: { readonly request: ReplayRequest; readonly call: RecordedCall; readonly known: KnownValues },
): Promise<readonly FieldChange[]> {
  const until = performance.now() + settleMs;
  for (;;) {
    const { status, text } = await target.ask(request);
    const json = jsonOf(text);
    const recorded = call.answer !== undefined && "json" in call.answer ? call.answer.json : undefined;
    if (recorded !== undefined && json !== undefined) known.learn(recorded, json, makesName(call));
    const changes =
      status === call.status
        ? bodyChanges(recorded, json, known)
        : [{ path: "status", before: call.status, after: status }];
    const mayFollow = call.method === "GET" && (status === call.status || status === 404);
    if (changes.length === 0 || !mayFollow || performance.now() > until) return changes;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function bodyChanges(
  recorded: JsonValue | undefined,
  replayed: JsonValue | undefined,
  known: KnownValues,
): readonly FieldChange[] {
  if (recorded === undefined) return [];
  const before = comparable(known.inBody(recorded));
  const after = replayed === undefined ? undefined : comparable(replayed);
  return isDeepEqual(before, after) ? [] : differences(before, after, "answer");
}

function makesName({ method, body }: RecordedCall): boolean {
  if (method !== "POST" || body === undefined || "omitted" in body || !isJsonObject(body.json)) return false;
  const { metadata } = body.json;
  return isJsonObject(metadata) && typeof metadata.generateName === "string" && metadata.name === undefined;
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
