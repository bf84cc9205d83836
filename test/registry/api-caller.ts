import { StatusError } from "../../src/apimachinery/errors/status.js";
import type { ApiObject } from "../../src/apimachinery/objects/meta.js";
import type { UserInfo } from "../../src/apimachinery/requests/request-info.js";
import type { ApiCatalog } from "../../src/endpoints/catalog/api-catalog.js";
import { findOperation, type Operation } from "../../src/endpoints/dispatch.js";
import type { ApiResult, WatchResult } from "../../src/endpoints/resource/api-result.js";
import type { VersionedView } from "../../src/registry/generic/versioned-view.js";
import { authenticated, RequestScope } from "../../src/request/request-scope.js";
import { requestInfoOf } from "../../src/serving/request/request-info.js";
import type { StoredObject, WatchHandle } from "../../src/storage/object-store.js";

// biome-ignore lint/suspicious/noExplicitAny: what comes back is looked at by tests, which know what they asked for
export type Json = any;

export interface Answer {
  readonly code: number;
  readonly body: Json;
  readonly warnings: readonly string[];
}

export interface Sent {
  readonly body?: Json;
  /** JSON when not given. */
  readonly contentType?: string;
}

export interface SeenEvent {
  readonly type: string;
  readonly object: Json;
  readonly revision: number;
}

/** The events of a watch. */
export interface OpenWatch {
  readonly events: readonly SeenEvent[];
  /** Resolves with the first `count` events when they are there. */
  first(count: number): Promise<readonly SeenEvent[]>;
  /** Resolves with all events so far when they satisfy `condition`. */
  until(condition: (events: readonly SeenEvent[]) => boolean): Promise<readonly SeenEvent[]>;
  stop(): void;
}

const administrator: UserInfo = { name: "admin", uid: "", groups: ["system:masters"], extra: {} };
const waitMs = 10_000;

/** Asks the endpoints of a catalog as requests past access control do, and shows results as JSON. */
export class ApiCaller {
  readonly #catalog: ApiCatalog;

  constructor(catalog: ApiCatalog) {
    this.#catalog = catalog;
  }

  /** A `StatusError` becomes the response. Any other error is a defect, and rejects. */
  async ask(method: string, target: string, sent: Sent = {}): Promise<Answer> {
    const warnings: string[] = [];
    try {
      const result = await this.result(method, target, sent, warnings);
      return { ...shown(result), warnings };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { code: error.status.code ?? 0, body: error.status, warnings };
    }
  }

  get(target: string): Promise<Answer> {
    return this.ask("GET", target);
  }
  post(target: string, body: Json): Promise<Answer> {
    return this.ask("POST", target, { body });
  }
  put(target: string, body: Json): Promise<Answer> {
    return this.ask("PUT", target, { body });
  }
  delete(target: string, body?: Json): Promise<Answer> {
    return this.ask("DELETE", target, { body });
  }
  mergePatch(target: string, body: Json): Promise<Answer> {
    return this.ask("PATCH", target, { body, contentType: "application/merge-patch+json" });
  }
  /** Server-side apply. */
  apply(target: string, body: Json): Promise<Answer> {
    return this.ask("PATCH", target, { body, contentType: "application/apply-patch+yaml" });
  }

  /** `target` is a list's; `watch` is added. */
  async watch(target: string): Promise<OpenWatch> {
    const asked = `${target}${target.includes("?") ? "&" : "?"}watch=1`;
    const result = await this.result("GET", asked, {}, []);
    if (result.kind !== "watch") throw new Error(`${target} is not watched: ${result.kind}`);
    return await openWatch(result);
  }

  /** What the endpoint hands to the writer of results. Rejects with the `StatusError`. `warnings` is added to. */
  async result(method: string, target: string, sent: Sent = {}, warnings: string[] = []): Promise<ApiResult> {
    const operation = this.operation(method, target, sent, warnings);
    if (operation.answers === "connect") throw new Error(`${target} connects to another server`);
    return await operation.run();
  }

  /** What is found for a request before it is carried out. Throws the `StatusError`. `warnings` is added to. */
  operation(method: string, target: string, sent: Sent = {}, warnings: string[] = []): Operation {
    const [path = "", search = ""] = target.split("?");
    const query = new URLSearchParams(search);
    const headers = { "user-agent": "caller/1" };
    const scope = new RequestScope(
      {
        method,
        target,
        headers,
        connection: { remoteAddress: "192.0.2.1" },
        signal: new AbortController().signal,
        statusCode: 0,
        headerValues: () => [],
        addResponseHeader: (name, value) => void (name === "Warning" && warnings.push(value)),
        removeResponseHeader: () => undefined,
        onStarted: () => undefined,
        onFinished: () => undefined,
      },
      new Date(),
      requestInfoOf(method, path, query),
      query,
    );
    scope.authenticatedUser = administrator;
    scope.user = administrator;
    if (sent.body !== undefined) {
      scope.body = {
        bytes: Buffer.from(JSON.stringify(sent.body)),
        contentType: sent.contentType ?? "application/json",
      };
    }
    return findOperation(this.#catalog, authenticated(scope));
  }
}

function shown(result: ApiResult): { code: number; body: Json } {
  switch (result.kind) {
    case "object":
      return { code: result.code, body: objectOf(result.view, result.stored) };
    case "list":
      return {
        code: 200,
        body: {
          ...result.view.listTypeMeta,
          metadata: result.metadata,
          items: result.items.map((stored) => objectOf(result.view, stored)),
        },
      };
    case "value":
      return { code: result.code, body: JSON.parse(result.view.print(result.object)) };
    case "status":
      return { code: result.code, body: result.status };
    case "watch":
      throw new Error("use watch()");
  }
}

function objectOf(view: VersionedView<ApiObject>, stored: StoredObject<ApiObject>): Json {
  return JSON.parse(`${view.objectHead.toString()}${view.body(stored).toString()}`);
}

async function openWatch(result: WatchResult): Promise<OpenWatch> {
  const events: SeenEvent[] = [];
  let ended: string | undefined;
  let wake = (): void => undefined;
  const handle: WatchHandle = await result.start({
    events(batch) {
      for (const event of batch) {
        const { type, revision } = event;
        const object = event.type === "BOOKMARK" ? undefined : objectOf(result.view, event.object);
        events.push({ type, revision, object });
      }
      wake();
    },
    end(error) {
      ended = String(error);
      wake();
    },
  });
  const until: OpenWatch["until"] = async (condition) => {
    const deadline = Date.now() + waitMs;
    while (!condition(events)) {
      const left = deadline - Date.now();
      if (ended !== undefined || left <= 0) {
        throw new Error(`only ${events.map(({ type }) => type)} came; ended: ${ended}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return events;
  };
  return {
    events,
    until,
    first: async (count) => (await until(({ length }) => length >= count)).slice(0, count),
    stop: () => handle.stop(),
  };
}
