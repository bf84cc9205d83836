import { addToList } from "../collections/groups.js";
/** A URL as Go's `net/url` reads it: not normalized. */
export interface RequestUri {
  /** In lower case; empty for a path. */
  readonly scheme: string;
  /** With its port. */
  readonly host: string;
  readonly escapedPath: string;
  /** As written, without the question mark. */
  readonly query: string;
  /** The same for URLs that Go prints alike. */
  readonly key: string;
}

/** A text is not a URL; `message` has Go's words. */
export class RequestUriError extends Error {}

/**
 * Parses a URL that could be a request's target, but as a reference: it may have a fragment, and a leading `//` begins a host. Source: Go
 * documentation, package `net/url`, `ParseRequestURI`, then `Parse`; RFC 3986. Throws `RequestUriError`.
 */
export function parseUrl(text: string): RequestUri {
  const uri = parseRequestUri(text);
  if (!text.includes("#") && !text.startsWith("//")) return uri;
  const [rest, , fragment] = cut(text, "#");
  checkEscapes(fragment);
  return parse(rest, { isRequest: false, fragment: unescaped(fragment) });
}

/** Takes a fragment to be a part of the path or query. Throws `RequestUriError`. */
export function parseRequestUri(text: string): RequestUri {
  return parse(text, { isRequest: true, fragment: "" });
}

interface Reading {
  readonly isRequest: boolean;
  readonly fragment: string;
}

function parse(text: string, { isRequest, fragment }: Reading): RequestUri {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  if (/[\x00-\x1f\x7f]/.test(text)) throw new RequestUriError("net/url: invalid control character in URL");
  if (text === "") throw new RequestUriError("empty url");
  if (text === "*") return uri({ path: "*", fragment });
  if (text.startsWith(":")) throw new RequestUriError("missing protocol scheme");
  const [prefix = "", name = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const scheme = name.toLowerCase();
  const [rest, mark, query] = cut(text.slice(prefix.length), "?");
  const parts = { scheme, mark, query, fragment };
  if (!rest.startsWith("/")) {
    if (scheme === "") throw new RequestUriError("invalid URI for request");
    return uri({ ...parts, opaque: rest });
  }
  const canHaveHost = scheme !== "" || (!isRequest && !rest.startsWith("///"));
  if (!canHaveHost || !rest.startsWith("//")) return uri({ ...parts, path: rest });
  const [authority, slash, path] = cut(rest.slice(2), "/");
  const at = authority.lastIndexOf("@");
  return uri({
    ...parts,
    user: at < 0 ? undefined : userOf(authority.slice(0, at)),
    host: hostOf(authority.slice(at + 1)),
    path: slash + path,
  });
}

/** Without the port, and without the brackets of an IPv6 address. */
export function hostnameOf({ host }: RequestUri): string {
  return host.replace(/:[0-9]*$/, "").replace(/^\[(.*)\]$/s, "$1");
}

export function portOf({ host }: RequestUri): string {
  return /:([0-9]*)$/.exec(host)?.[1] ?? "";
}

/** Settings with a semicolon or a bad escape are left out. */
export function queryValues({ query }: RequestUri): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const setting of query.split("&")) {
    if (setting === "" || setting.includes(";") || badEscape.test(setting)) continue;
    const [name, , value] = cut(setting.replaceAll("+", " "), "=");
    const key = unescaped(name);
    addToList(values, key, unescaped(value));
  }
  return values;
}

interface Parts {
  readonly scheme?: string;
  readonly opaque?: string;
  readonly user?: string | undefined;
  readonly host?: string;
  readonly path?: string;
  readonly mark?: string;
  readonly query?: string;
  readonly fragment?: string;
}

function uri(parts: Parts): RequestUri {
  const { scheme = "", opaque = "", user = null, host = "", path = "", mark = "", query = "" } = parts;
  const escapedPath = escapedPathOf(path);
  const { fragment = "" } = parts;
  const key = JSON.stringify([scheme, opaque, user, host, escapedPath, mark, query, fragment]);
  return { scheme, host, escapedPath, query, key };
}

const badEscape = /%(?![0-9A-Fa-f]{2})/;

function checkEscapes(text: string): void {
  const at = text.search(badEscape);
  if (at >= 0) throw badEscapeError(text.slice(at, at + 3));
}

function badEscapeError(sequence: string): RequestUriError {
  return new RequestUriError(`invalid URL escape ${JSON.stringify(sequence)}`);
}

/** A path that is already encoded stays as it is; any other is encoded. */
function escapedPathOf(path: string): string {
  checkEscapes(path);
  if (/^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(path)) return path;
  return unescaped(path).replace(/[^A-Za-z0-9\-_.~$&+,/:;=@]+/gu, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}

function userOf(info: string): string {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new RequestUriError("net/url: invalid userinfo");
  checkEscapes(info);
  return unescaped(info);
}

function hostOf(host: string): string {
  const end = host.startsWith("[") ? host.lastIndexOf("]") : undefined;
  if (end === -1) throw new RequestUriError("missing ']' in host");
  const colon = host.lastIndexOf(":");
  const port = end !== undefined ? host.slice(end + 1) : colon < 0 ? "" : host.slice(colon);
  if (!/^(:[0-9]*)?$/.test(port)) {
    throw new RequestUriError(`invalid port ${JSON.stringify(port)} after host`);
  }
  checkEscapes(host);
  const zone = end === undefined ? -1 : host.slice(0, end).indexOf("%25");
  // Below U+0080, only a percent sign may be escaped, and in a zone also a space.
  const ascii = /%(?!25)[0-7]./.exec(zone < 0 ? host : host.slice(0, zone) + host.slice(end));
  if (ascii !== null) throw badEscapeError(ascii[0]);
  const [bad] = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host) ?? [];
  if (bad !== undefined) {
    throw new RequestUriError(`invalid character ${JSON.stringify(bad)} in host name`);
  }
  return unescaped(host);
}

function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString(),
  );
}

/** The text before the first separator, the separator if it is there, and the text after it. */
function cut(text: string, separator: string): [string, string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, "", ""] : [text.slice(0, at), separator, text.slice(at + 1)];
}
