import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { WriteContext } from "../../apis/definition/strategy.js";

/** What the registry needs to know of a request, shared by all writes of that request. */
export interface RegistryContext extends WriteContext {
  /** The field manager of the server's own writes. Fields of requests are tracked before the registry. */
  readonly fieldManager?: string | undefined;
  /** The verb of the request; undefined for the server's own writes. */
  readonly verb?: string | undefined;
  /** Aborted when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Awaited before each stage of a write of the server itself. */
  beforeStage?(): MaybePromise<void>;
  /** Call it before a write is passed to the store, and its result once the write is stored. Undefined if nobody measures the time. */
  beginStoring?(): (() => void) | undefined;
  /** Call it when a write is stored at this revision. */
  stored?(revision: number): void;
}
