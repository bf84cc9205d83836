import type { JsonValue } from "../apimachinery/json-value.js";
import type { RequestInfo, UserInfo } from "../apimachinery/request-info.js";
import type { TypeMeta } from "../apimachinery/schema/codec.js";

/** One request to the resource API, past access control. Supplied by `serving/`. */
export interface ApiRequest {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly now: Date;
  /** Aborted when the client is gone, the deadline has passed or the server stops. */
  readonly signal: AbortSignal;
  /** The Content-Type header, undefined when missing. */
  readonly contentType: string | undefined;
  /** At most the server's body limit: rejects with 413 above. Empty when there is none. */
  readBytes(): Promise<Uint8Array>;
  /** By Content-Type. Rejects with 400, 413 and 415. Undefined for an empty body. */
  readBody(options?: BodyOptions): Promise<RequestBody | undefined>;
  /** The body as YAML (or JSON, which is YAML), whatever its Content-Type. Rejects with 400 and 413. */
  readYaml(options?: BodyOptions): Promise<JsonValue>;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Adds to the request's audit event; absent when there is none. */
  annotate?(key: string, value: string): void;
}

export interface BodyOptions {
  /** What an object must be sent for: an empty body is 400 then, and named in messages about a body that cannot be read. */
  readonly expectedKind?: string | undefined;
  /** Called with the path of each key that repeats an earlier one of its JSON object. */
  readonly onDuplicateField?: ((path: string) => void) | undefined;
  /** The same for YAML, in whose text the original counts lines from 1. */
  readonly onDuplicateKey?: ((key: string, line: number) => void) | undefined;
}

export type RequestBody =
  | { readonly kind: "json"; readonly value: JsonValue }
  | { readonly kind: "protobuf"; readonly typeMeta: TypeMeta; readonly raw: Uint8Array };
