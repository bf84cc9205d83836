import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { WriteContext } from "../../apis/definition/strategy.js";

/** What the registry needs to know of a request, shared by all of its writes. */
export interface RegistryContext extends WriteContext {
  /** Of the server's own writes: who manages the fields. Those of requests are tracked before they come here. */
  readonly fieldManager?: string | undefined;
  /** Of the request; undefined for the server's own writes. */
  readonly verb?: string | undefined;
  /** Aborted when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Awaited before each stage of a write of the server itself. */
  beforeStage?(): MaybePromise<void>;
  /** Call before a write is handed to the store, and the result when it is stored. Undefined where nobody asks for the time. */
  beginStoring?(): (() => void) | undefined;
  /** Call when a write is stored at this revision. */
  stored?(revision: number): void;
}
