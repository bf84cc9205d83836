import { isJsonObject } from "../apimachinery/json-value.js";
import { badRequest } from "../apimachinery/status.js";
import { type Revision, toRevision } from "../storage/kv.js";

/** Where a chunked list goes on. */
export interface ContinueToken {
  /** Undefined: at the newest revision (a token handed out with an expired list). */
  readonly revision: Revision | undefined;
  /** Key below the resource's prefix: `namespace/name` or `name`. */
  readonly after: string;
}

/** What a token is good for. */
export interface TokenScope {
  /** Group of the meta kinds: `meta.…`. */
  readonly metaGroup: string;
  /** What the keys of the collection begin with, below the resource's prefix: `namespace/` or nothing. */
  readonly prefix: string;
}

/**
 * The text of a token. Opaque to clients: base64url of `{"v":"META GROUP/v1","rv":revision,"start":key}`, where start is the last key
 * seen, relative to the collection, followed by a zero byte. An original server on the same store goes on from it, and this one from
 * its tokens. Source: apiserver `pkg/storage/etcd3/store.go`, version 1.23.
 */
export function encodeContinueToken(token: ContinueToken, { metaGroup, prefix }: TokenScope): string {
  const rv = token.revision ?? -1;
  const start = `${token.after.slice(prefix.length)}\0`;
  return Buffer.from(JSON.stringify({ v: versionOf(metaGroup), rv, start })).toString("base64url");
}

/** Throws 400. */
export function decodeContinueToken(text: string, { metaGroup, prefix }: TokenScope): ContinueToken {
  const value = parse(text);
  if (!isJsonObject(value) || value.v !== versionOf(metaGroup))
    throw malformed("server does not recognize this encoded version");
  const { rv, start } = value;
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0 || rv < -1) {
    throw malformed("incorrect encoded start resourceVersion");
  }
  if (typeof start !== "string" || start.length < 2 || !start.endsWith("\0"))
    throw malformed("empty start value");
  const after = start.slice(0, -1);
  // A key is namespace/name at most: anything else would be a way to list what was not asked for.
  if (after.startsWith("/") || after.split("/").some((segment) => segment === ".." || segment === ".")) {
    throw malformed("invalid key");
  }
  return { revision: rv === -1 ? undefined : toRevision(rv), after: prefix + after };
}

function versionOf(metaGroup: string): string {
  return `${metaGroup}/v1`;
}

function parse(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(text)) throw malformed("illegal base64 data");
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw malformed("not a token of this server");
  }
}

function malformed(why: string): Error {
  return badRequest(`continue key is not valid: ${why}`);
}
