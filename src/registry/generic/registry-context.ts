import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { WriteContext } from "../../apis/definition/strategy.js";

/** What the registry needs to know about a request, shared by all of its writes. */
export interface RegistryContext extends WriteContext {
  /** The manager of fields that the server itself writes. Fields of requests are tracked before they come here. */
  readonly fieldManager?: string | undefined;
  /** The verb of the request; undefined for the server's own writes. */
  readonly verb?: string | undefined;
  /** Aborted when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Awaited before each stage of a write of the server itself. */
  beforeStage?(): MaybePromise<void>;
  /** Call it before a write is handed to the store, and its result when the write is stored. Undefined where nobody measures the time. */
  beginStoring?(): (() => void) | undefined;
  /** Call it when a write is stored at this revision. */
  stored?(revision: number): void;
}
