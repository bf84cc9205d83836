import { messageOf } from "../../apimachinery/errors/message-of.js";
import { quoted } from "../../apimachinery/errors/quoted-text.js";
import { goMapText } from "../../apimachinery/errors/shown-value.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { type Revision, toRevision } from "../../storage/kv.js";

/** The position at which a chunked list continues. */
export interface ContinueToken {
  /** Undefined: at the newest revision (a token that came with an expired list). */
  readonly revision: Revision | undefined;
  /** Key below the resource's prefix: `namespace/name` or `name`. */
  readonly after: string;
}

/** The collection that a token belongs to. */
export interface TokenScope {
  /** Group of the meta kinds: `meta.…`. */
  readonly metaGroup: string;
  /** Prefix of the collection's keys, below the resource's prefix: `namespace/` or nothing. */
  readonly prefix: string;
  /** Decides the words of errors. */
  readonly level: ApiLevel;
}

/**
 * The text of a token. Opaque to clients: base64url of `{"v":"META GROUP/v1","rv":revision,"start":key}`, where start is the last key
 * seen, relative to the collection, followed by a zero byte. kube-apiserver on the same store accepts these tokens, and this server
 * accepts its tokens. Source: apiserver `pkg/storage/etcd3/store.go`, version 1.23.
 */
export function encodeContinueToken(
  token: ContinueToken,
  { metaGroup, prefix }: Omit<TokenScope, "level">,
): string {
  const rv = token.revision ?? -1;
  const start = `${token.after.slice(prefix.length)}\0`;
  return Buffer.from(JSON.stringify({ v: versionOf(metaGroup), rv, start })).toString("base64url");
}

/** Throws 400. */
export function decodeContinueToken(text: string, { metaGroup, prefix, level }: TokenScope): ContinueToken {
  const value = parse(text);
  const { v = "", rv = 0, start = "" } = isJsonObject(value) ? value : {};
  const version = versionOf(metaGroup);
  if (v !== version) {
    const named = isAtLeast(level, "1.25") ? goMapText(v) : quoted(goMapText(v));
    throw malformed(`server does not recognize this encoded version ${named}`);
  }
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0) {
    throw malformed(`incorrect encoded start resourceVersion (version ${version})`);
  }
  if (start === "") throw malformed(`encoded start key empty (version ${version})`);
  // Kubernetes has written keys with and without a slash before them, and takes both.
  const key = typeof start === "string" && start.startsWith("/") ? start.slice(1) : start;
  // Refuses any other key, because it could list objects outside of the requested collection.
  if (typeof key !== "string" || key.length < 2 || !key.endsWith("\0") || !isClean(key)) {
    throw malformed(goMapText(start));
  }
  return { revision: rv < 0 ? undefined : toRevision(rv), after: prefix + key.slice(0, -1) };
}

function isClean(key: string): boolean {
  return key.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function versionOf(metaGroup: string): string {
  return `${metaGroup}/v1`;
}

function parse(text: string): JsonValue {
  const illegal = text.search(/[^A-Za-z0-9_-]/);
  // A single last character does not make a byte.
  if (illegal >= 0 || text.length % 4 === 1) {
    throw malformed(`illegal base64 data at input byte ${illegal >= 0 ? illegal : text.length - 1}`);
  }
  try {
    return parseJson(Buffer.from(text, "base64url"));
  } catch (error) {
    throw malformed(messageOf(error));
  }
}

function malformed(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
