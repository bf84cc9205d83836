import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { linesOf } from "../support/lines-of.js";
import { credentialsOf, type ServerProcess } from "../support/server-process.js";
import type {
  Answer,
  ListRecord,
  Operation,
  OperationRecord,
  ReadVersion,
  SeenObject,
  WatchEvent,
  WatchRecord,
  WatchStart,
} from "./history.js";

/** Where all clients record what they see. */
export interface Recorder {
  readonly operations: OperationRecord[];
  readonly lists: ListRecord[];
  readonly watches: WatchRecord[];
}

/** One server as seen by the clients of a run. */
export interface Endpoint {
  readonly index: number;
  readonly url: string;
  readonly agent: Agent;
}

const requestTimeoutMs = 4_000;

export function openEndpoint(index: number, server: ServerProcess, url = server.url): Endpoint {
  return { index, url, agent: new Agent({ connect: credentialsOf(server), connections: 64 }) };
}

export interface ListOptions {
  readonly read: ReadVersion;
  /** Exactly at the version in `read`. */
  readonly exact?: boolean;
  readonly side?: string | undefined;
  readonly limit?: number | undefined;
}

export interface WatchOptions {
  readonly start: WatchStart;
  readonly side?: string | undefined;
  readonly bookmarks: boolean;
  /** Ends the stream from the client's side. */
  readonly signal: AbortSignal;
  readonly timeoutSeconds?: number | undefined;
  /** True ends the watch as finished. */
  readonly onEvent?: ((event: WatchEvent) => boolean) | undefined;
}

/** A client of one collection of config maps that records every request and answer. */
export class RecordingClient {
  readonly #name: string;
  readonly #collection: string;
  readonly #record: Recorder;

  constructor(name: string, namespace: string, record: Recorder) {
    this.#name = name;
    this.#collection = `/api/v1/namespaces/${namespace}/configmaps`;
    this.#record = record;
  }

  async perform(endpoint: Endpoint, key: string, operation: Operation): Promise<Answer> {
    const invoked = performance.now();
    const auditId = randomUUID();
    const answer = await this.#send(endpoint, key, operation, auditId);
    const returned = performance.now();
    this.#record.operations.push({
      client: this.#name,
      auditId,
      server: endpoint.index,
      key,
      operation,
      answer,
      invoked,
      returned,
    });
    return answer;
  }

  /** Undefined when no list could be had. */
  async list(endpoint: Endpoint, options: ListOptions): Promise<ListRecord | undefined> {
    const { read, exact = false, side } = options;
    const query = listQuery(options);
    const invoked = performance.now();
    let returned = 0;
    let revision = "";
    const items = new Map<string, SeenObject>();
    for (let pages = 1; ; pages++) {
      let body: ListBody;
      try {
        const answer = await this.#ask(endpoint, "GET", `${this.#collection}?${query}`);
        if (answer.status !== 200) return undefined;
        body = JSON.parse(answer.text);
      } catch {
        return undefined;
      }
      if (pages === 1) {
        returned = performance.now();
        revision = body.metadata.resourceVersion;
      }
      for (const item of body.items ?? []) {
        if (items.has(item.metadata.name))
          this.#recordImpossible(item.metadata.name, "list", "an object on two pages");
        items.set(item.metadata.name, seen(item));
      }
      if (body.metadata.resourceVersion !== revision)
        this.#recordImpossible(
          "",
          "list",
          `page ${pages} of ${body.metadata.resourceVersion} after ${revision}`,
        );
      if (body.metadata.continue === undefined || body.metadata.continue === "") {
        const list = {
          client: this.#name,
          server: endpoint.index,
          read,
          exact,
          side,
          pages,
          revision: Number(revision),
          items,
          invoked,
          returned,
        };
        this.#record.lists.push(list);
        return list;
      }
      query.set("continue", body.metadata.continue);
      query.delete("resourceVersion");
      query.delete("resourceVersionMatch");
    }
  }

  /** Undefined when it failed to start for any reason but an expired version. */
  async watch(endpoint: Endpoint, options: WatchOptions): Promise<WatchRecord | undefined> {
    const { start, side } = options;
    const query = watchQuery(options);
    const events: WatchEvent[] = [];
    const invoked = performance.now();
    let end: WatchRecord["end"] = "closed";
    let isStarted = false;
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    try {
      const answer = await request(`${endpoint.url}${this.#collection}?${query}`, {
        dispatcher: endpoint.agent,
        signal,
        headersTimeout: requestTimeoutMs,
        bodyTimeout: 0,
      });
      if (answer.statusCode !== 200) {
        await answer.body.text();
        if (answer.statusCode !== 410) return undefined;
        return this.#recordWatch({ server: endpoint.index, start, side, invoked, events, end: "expired" });
      }
      isStarted = true;
      for await (const line of linesOf(answer.body)) {
        const event = watchEvent(JSON.parse(line));
        if (event === "expired") end = "expired";
        else if (typeof event === "string") this.#recordImpossible("", "watch", event);
        else {
          events.push(event);
          if (options.onEvent?.(event) === true) end = "finished";
        }
        if (end !== "closed") break;
      }
      stop.abort();
    } catch {
      if (!isStarted) return undefined;
      if (end === "closed") end = "broken";
    }
    return this.#recordWatch({ server: endpoint.index, start, side, invoked, events, end });
  }

  #recordWatch(watched: Omit<WatchRecord, "client">): WatchRecord {
    const watch = { client: this.#name, ...watched };
    this.#record.watches.push(watch);
    return watch;
  }

  /** As an operation whose answer must never occur. */
  #recordImpossible(key: string, kind: string, text: string): void {
    const now = performance.now();
    this.#record.operations.push({
      client: this.#name,
      server: -1,
      key,
      operation: { kind: "get", read: "any" },
      answer: { kind: "unexpected", text: `${kind}: ${text}` },
      invoked: now,
      returned: now,
    });
  }

  async #send(endpoint: Endpoint, key: string, operation: Operation, auditId: string): Promise<Answer> {
    const headers = { "audit-id": auditId };
    const path = `${this.#collection}/${key}`;
    try {
      switch (operation.kind) {
        case "create": {
          const body = configMap(key, operation.value, operation.side);
          return answerOf(operation, await this.#ask(endpoint, "POST", this.#collection, { headers, body }));
        }
        case "update": {
          const body = configMap(key, operation.value, operation.side, operation.expected);
          return answerOf(operation, await this.#ask(endpoint, "PUT", path, { headers, body }));
        }
        case "delete": {
          const resourceVersion = operation.expected === undefined ? undefined : String(operation.expected);
          const body = resourceVersion === undefined ? undefined : { preconditions: { resourceVersion } };
          return answerOf(operation, await this.#ask(endpoint, "DELETE", path, { headers, body }));
        }
        case "get": {
          const { read } = operation;
          const query = read === "recent" ? "" : `?resourceVersion=${read === "any" ? 0 : read}`;
          return answerOf(operation, await this.#ask(endpoint, "GET", `${path}${query}`, { headers }));
        }
      }
    } catch (error) {
      return neverSent(error) ? { kind: "refused" } : { kind: "unknown" };
    }
  }

  async #ask(
    endpoint: Endpoint,
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: unknown } = {},
  ): Promise<HttpAnswer> {
    const answer = await request(`${endpoint.url}${path}`, {
      method: method as "GET", // one of the four above
      dispatcher: endpoint.agent,
      signal: AbortSignal.timeout(requestTimeoutMs),
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }
}

function listQuery({ read, exact = false, side, limit }: ListOptions): URLSearchParams {
  const query = new URLSearchParams();
  if (typeof read === "number") {
    query.set("resourceVersion", String(read));
    query.set("resourceVersionMatch", exact ? "Exact" : "NotOlderThan");
  } else if (read === "any") query.set("resourceVersion", "0");
  if (side !== undefined) query.set("labelSelector", `side=${side}`);
  if (limit !== undefined) query.set("limit", String(limit));
  return query;
}

function watchQuery({ start, side, bookmarks, timeoutSeconds }: WatchOptions): URLSearchParams {
  const query = new URLSearchParams({ watch: "1" });
  if (start.kind === "exact") query.set("resourceVersion", String(start.revision));
  else if (start.kind === "any") query.set("resourceVersion", "0");
  if (side !== undefined) query.set("labelSelector", `side=${side}`);
  if (bookmarks) query.set("allowWatchBookmarks", "true");
  if (timeoutSeconds !== undefined) query.set("timeoutSeconds", String(timeoutSeconds));
  return query;
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

interface ConfigMapBody {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

interface ListBody {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly ConfigMapBody[] | null;
}

interface WatchLine {
  readonly type: string;
  readonly object: ConfigMapBody & { readonly code?: number; readonly message?: string };
}

function configMap(name: string, value: string, side: string, expected?: number): unknown {
  const resourceVersion = expected === undefined ? undefined : String(expected);
  return { metadata: { name, labels: { side }, resourceVersion }, data: { value } };
}

function seen({ metadata, data }: ConfigMapBody): SeenObject {
  return {
    revision: Number(metadata.resourceVersion),
    uid: metadata.uid,
    value: data?.value ?? "",
    side: metadata.labels?.side ?? "",
  };
}

function watchEvent({ type, object }: WatchLine): WatchEvent | "expired" | string {
  const at = performance.now();
  switch (type) {
    case "BOOKMARK":
      return { type, revision: Number(object.metadata.resourceVersion), at };
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, key: object.metadata.name, object: seen(object), at };
    default:
      return object.code === 410 ? "expired" : `${type} ${object.code} ${object.message}`;
  }
}

function answerOf(operation: Operation, { status, text }: HttpAnswer): Answer {
  const unexpected: Answer = { kind: "unexpected", text: `${status} ${text.slice(0, 300)}` };
  switch (status) {
    case 200:
    case 201: {
      const body = JSON.parse(text);
      if (operation.kind !== "delete") return { kind: "object", object: seen(body) };
      return { kind: "deleted", uid: body.details?.uid ?? body.metadata?.uid };
    }
    case 404:
      return operation.kind === "create" ? unexpected : { kind: "absent" };
    case 409: {
      if (operation.kind === "create") return { kind: "exists" };
      const expects = operation.kind !== "get" && operation.expected !== undefined;
      return expects ? { kind: "conflict" } : unexpected;
    }
    case 429:
      return { kind: "refused" };
    case 500:
    case 503:
    case 504:
      return { kind: "unknown" };
    default:
      return unexpected;
  }
}

/** Whether the request certainly did not reach a server, and so had no effect. */
function neverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || error.message.includes("before secure TLS connection was established");
}
