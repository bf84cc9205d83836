import { ended, keyHeader, pageKey } from "../state/session.ts";
import { type JsonObject, listAt, numberAt, objectAt, parseObject, textAt } from "./json.ts";

export interface Cause {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

/** A failed response of the server. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly Cause[];
  /** The body as text. */
  readonly text: string;

  constructor(code: number, status: JsonObject, text: string) {
    super(textAt(status, "message") || `the server answered ${code}`);
    this.code = numberAt(status, "code") || code;
    this.reason = textAt(status, "reason");
    this.text = text;
    this.causes = listAt(status, "details", "causes").map((cause) => ({
      type: textAt(cause, "reason"),
      field: textAt(cause, "field"),
      message: textAt(cause, "message"),
    }));
  }
}

export interface Ask {
  readonly method?: string;
  readonly accept?: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request to a path of the server, as the signed-in user. Throws `ApiError`. */
export async function send(path: string, ask: Ask = {}): Promise<Response> {
  const { method = "GET", accept = "application/json", body, contentType, signal } = ask;
  const answer = await fetch(`server${path}`, {
    method,
    headers: {
      Accept: accept,
      [keyHeader]: pageKey(),
      ...(contentType !== undefined && { "Content-Type": contentType }),
    },
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw isAborted(error) ? error : new Error("The server cannot be reached.", { cause: error });
  });
  if (answer.ok) return answer;
  if (answer.status === 401) ended("The session has ended.");
  const text = await answer.text();
  throw new ApiError(answer.status, statusOf(text), text);
}

export async function getObject(path: string, ask: Ask = {}): Promise<JsonObject> {
  return parseObject(await (await send(path, ask)).text());
}

export async function getText(path: string, ask: Ask = {}): Promise<string> {
  return await (await send(path, ask)).text();
}

/** The warnings in the headers of a response. */
export function warningsOf(answer: Response): readonly string[] {
  const header = answer.headers.get("Warning") ?? "";
  return [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replace(/\\(.)/g, "$1"),
  );
}

/** The lines of a response, as they arrive. A line longer than `charactersMax` is passed on in parts. */
export async function* linesOf(
  answer: Response,
  charactersMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  // A line may arrive in many pieces, which are joined once.
  let pieces: string[] = [];
  let characters = 0;
  const take = (): string => {
    const line = pieces.join("");
    pieces = [];
    characters = 0;
    return line;
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const [first = "", ...others] = value.split("\n");
    pieces.push(first);
    characters += first.length;
    for (const line of others) {
      yield take();
      pieces.push(line);
      characters += line.length;
    }
    if (characters > charactersMax) yield take();
  }
  if (characters > 0) yield take();
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function statusOf(text: string): JsonObject {
  try {
    return objectAt(parseObject(text));
  } catch {
    return { message: text.slice(0, 500) };
  }
}
