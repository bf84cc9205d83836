import type { HostileCase } from "./corpus.js";
import { type HostileRequest, range } from "./hostile-request.js";

const maps = "/api/v1/namespaces/default/configmaps";
/** URL and headers have 1 MiB together. */
const lineLength = 1_000_000;

/** What a URL is divided at, and what looks like the beginning of something. */
const pieces = [
  "?",
  "&",
  "=",
  "%25",
  "%",
  "%zz",
  "%61",
  "%61%63%63%65%73%73_token=",
  "/",
  "//",
  "/..",
  ";",
  "+",
  ",",
  ".",
  "~",
  "a",
  "a=b&",
  "&access_token=x",
  "access_token",
  "%2C",
  "%0A",
  "%ff",
  "%EE%80%80",
  "a,",
  "!a,",
  "a%3D%3D,",
  "a%20in%20(",
  "a%20in%20(b),",
  "(",
  ")",
  "%22",
  "\\",
  "1",
  "0",
  "1h",
  "-",
  "'",
  "{",
  "[",
];

const places: readonly (readonly [place: string, before: string, after?: string])[] = [
  ["path", "/"],
  ["name", `${maps}/`],
  ["namespace", "/api/v1/namespaces/", "/configmaps/a"],
  ["group", "/apis/", "/v1/things"],
  ["proxied path", "/api/v1/nodes/nothing/proxy/"],
  ["query", `${maps}?`],
  ["query of a name", `${maps}/a?x`],
  ["value", `${maps}?a=`],
  ["labelSelector", `${maps}?labelSelector=`],
  ["fieldSelector", `${maps}?fieldSelector=`],
  ["continue", `${maps}?limit=1&continue=`],
  ["resourceVersion", `${maps}?resourceVersion=`],
  ["timeout", `${maps}?timeout=`],
  // The second counts where the first cannot be read and is left out.
  ["timeoutSeconds", `${maps}?watch=1&timeoutSeconds=`, "&timeoutSeconds=1"],
  ["limit", `${maps}?limit=`],
  ["fieldManager", `${maps}/a?fieldManager=`],
];

const headerNames = [
  "accept",
  "accept-encoding",
  "authorization",
  "baggage",
  "content-type",
  "cookie",
  "expect",
  "forwarded",
  "if-match",
  "if-none-match",
  "impersonate-user",
  "impersonate-group",
  "impersonate-extra-a",
  "audit-id",
  "origin",
  "sec-websocket-protocol",
  "traceparent",
  "tracestate",
  "user-agent",
  "via",
  "x-forwarded-for",
  "x-forwarded-uri",
  "x-remote-user",
  "x-remote-group",
  "x-remote-extra-a",
  "x-real-ip",
];

const headerPieces = [
  "a",
  ",",
  ", ",
  ";",
  "; ",
  "=",
  "a,",
  "a/b,",
  "*/*;q=0.1,",
  "a/b;a=b;",
  'a="',
  '"',
  "\\",
  "/",
  "(",
  " a",
  "\t",
  "a=b,",
  "a=b;",
  "Bearer ",
  "Bearer a.",
  "Basic ",
  ".",
  "1.1.1.1,",
  ":",
  "-",
  "00-",
  "%",
  "%61",
  "\u00ff",
  "gzip;q=0,",
  "base64url.bearer.authorization.k8s.io.",
  "http://",
];

/** URLs and headers of a megabyte, of one piece again and again. */
export function longLines(): readonly HostileCase[] {
  const repeated = (piece: string): string => piece.repeat(lineLength / piece.length);
  const urls = places.flatMap(([place, before, after = ""]) =>
    pieces.map(
      (piece): HostileRequest => ({
        kind: `long ${place} ${piece}`,
        method: "GET",
        path: `${before}${repeated(piece)}${after}`,
        http: "1",
      }),
    ),
  );
  const isBound = new Set(["content-type", "expect"]);
  const headers = headerNames.flatMap((name) =>
    headerPieces.map(
      (piece): HostileRequest => ({
        kind: `long header ${name} ${piece}`,
        method: isBound.has(name) ? "POST" : "GET",
        path: isBound.has(name) ? `${maps}?dryRun=All` : `${maps}/a`,
        // Otherwise the first mistake is that nobody is impersonated.
        headers: {
          ...(name.startsWith("impersonate-") && { "impersonate-user": "jane" }),
          [name]: `a${repeated(piece)}a`,
        },
        ...(isBound.has(name) && { body: "{}" }),
        http: "1",
      }),
    ),
  );
  return [
    { name: "long URLs", requests: urls },
    { name: "long headers", requests: headers },
    {
      name: "many short headers",
      requests: headerNames.map((name) => ({
        kind: `repeated header ${name}`,
        method: "GET",
        path: `${maps}/a`,
        headers: { [name]: range(1_900, () => "a,".repeat(250)) },
        http: "1",
      })),
    },
  ];
}
