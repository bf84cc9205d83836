import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range } from "./hostile-request.js";

const core = "/api/v1/namespaces/default";
const maps = `${core}/configmaps`;
const pod = `${core}/pods/parts`;
/** URL and headers have 1 MiB together. */
const lineLength = 1_000_000;

/** Queries and headers of very many parts, at the places that read each of them. */
export function manyParts(): HostileCase {
  return {
    name: "many parts",
    before: [
      json("prepare", "POST", maps, { metadata: { name: "parts" } }),
      json("prepare", "POST", "/api/v1/nodes", {
        metadata: { name: "parts" },
        // A port that nobody listens on.
        status: {
          addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
          daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
        },
      }),
      json("prepare", "POST", `${core}/pods`, {
        metadata: { name: "parts" },
        spec: { nodeName: "parts", containers: [{ name: "c", image: "i" }] },
      }),
    ],
    requests: [...queries(), ...headers()],
  };
}

function repeated(piece: string): string {
  return piece.repeat(lineLength / piece.length);
}

const queriesAt: readonly (readonly [method: string, path: string, pieces: readonly string[]])[] = [
  [
    "GET",
    maps,
    [
      "limit=1&",
      "labelSelector=a&",
      "labelSelector=+&",
      "resourceVersion=0&",
      "resourceVersionMatc&",
      "%6Cimit=1&",
      "%6c%69mi&",
      "%61=%ff&",
      "pretty=&",
      "pretty&",
      "a=;&",
    ],
  ],
  ["GET", `${maps}/parts`, ["a=b&", "&access_token=x", "%61ccess_token=x&", "timeout=1h&"]],
  ["GET", `${maps}/parts?pretty=`, ["+", "%2B", "%zz%ff", "%ff%u"]],
  ["GET", `${maps}?watch=1&timeoutSeconds=1`, ["&watch=1", "&timeoutSeconds=1", "&a=b", "&%77atc"]],
  ["GET", `${maps}?includeObject=`, ["Object", "%zz%ff"]],
  [
    "POST",
    `${maps}?dryRun=All&`,
    ["dryRun=All&", "dryRun=a&", "dryRun&", "fieldManager=a&", "fieldValidation=Warn&", "a=b&"],
  ],
  ["PATCH", `${maps}/parts`, ["dryRun=All&", "dryRun=a&", "dryRun=%ff&", "force=true&", "a=b&"]],
  ["DELETE", `${maps}/nothing`, ["dryRun=All&", "dryRun=a&", "uid=a&", "propagationPolicy=a&", "a=b&"]],
  [
    "GET",
    `${pod}/exec`,
    ["command=a&", "command&", "command=%ff&", "command=%u%41&", "container=c&", "a=b&"],
  ],
  ["GET", `${pod}/exec?command=`, ["a", "+", "%ff"]],
  ["GET", `${pod}/attach`, ["container=c&", "stdin=1&"]],
  ["GET", `${pod}/portforward`, ["ports=1&", "ports=a&", "a=b&"]],
  ["GET", `${pod}/portforward?ports=`, ["1,", ","]],
  ["GET", `${pod}/log`, ["tailLines=1&", "sinceTime=a&", "a=b&"]],
  ["GET", "/api/v1/nodes/parts/proxy/a", ["a=b&", "&", "%ff&"]],
  ["GET", `${core}/services/nothing/proxy/a`, ["a=b&", "%ff&"]],
  ["GET", "/readyz", ["exclude=a&", "verbose&", "a=b&"]],
  ["GET", "/metrics", ["a=b&"]],
  ["GET", "/version", ["a=b&"]],
  ["GET", "/apis/unknown.example.org/v1/things", ["a=b&"]],
  ["GET", "/unknown", ["a=b&"]],
  ["GET", "/debug/pprof/threadcreate", ["a=b&", "seconds=1&"]],
  ["GET", "/openapi/v3/api/v1", ["hash=a&", "a=b&"]],
];

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};
const protocols = "sec-websocket-protocol";

function queries(): readonly HostileRequest[] {
  return queriesAt.flatMap(([method, path, pieces]) =>
    pieces.map(
      (piece): HostileRequest => ({
        kind: `parts of ${method} ${path} ${piece}`,
        method,
        path: `${path}${path.includes("?") ? "" : "?"}${repeated(piece)}`,
        ...(method === "POST" && { headers: { "content-type": "application/json" }, body: "{}" }),
        ...(method === "PATCH" && {
          headers: { "content-type": "application/merge-patch+json" },
          body: "{}",
        }),
        ...(/exec|attach|portforward/.test(path) && { headers: upgrade }),
        http: "1",
      }),
    ),
  );
}

function headers(): readonly HostileRequest[] {
  const numbered = (name: (i: number) => string): string => range(140_000, name).join(",");
  const sent = (kind: string, path: string, given: HostileRequest["headers"] & object): HostileRequest => ({
    kind: `parts of ${kind}`,
    method: "GET",
    path,
    headers: given,
    http: "1",
  });
  const watch = `${maps}?watch=1&timeoutSeconds=1`;
  return [
    ...["a,", ",", "base64url.bearer.authorization.k8s.io.YQ,", " a ,"].flatMap((piece) => [
      sent(`subprotocols ${piece}`, watch, { ...upgrade, [protocols]: `a,${repeated(piece)}a` }),
      sent(`subprotocols of exec ${piece}`, `${pod}/exec?command=a`, {
        ...upgrade,
        [protocols]: `a,${repeated(piece)}a`,
      }),
    ]),
    sent("subprotocols, different", watch, { ...upgrade, [protocols]: numbered((i) => `a${i}`) }),
    sent("subprotocols of proxy", "/api/v1/nodes/parts/proxy/", {
      ...upgrade,
      [protocols]: numbered((i) => `a${i}`),
    }),
    sent("Connection", "/api/v1/nodes/parts/proxy/", { connection: numbered((i) => `a${i}`) }),
    sent("Connection, commas", "/api/v1/nodes/parts/proxy/", { connection: `close${repeated(",")}` }),
    sent("Accept-Encoding of a large answer", "/openapi/v2", { "accept-encoding": repeated("gzip;q=0,") }),
    sent("Accept-Encoding of a list", `${maps}?limit=5000`, { "accept-encoding": repeated("a;") }),
    sent("If-None-Match of a large answer", "/openapi/v2", { "if-none-match": repeated('"a",') }),
    sent("X-Forwarded-For", "/api/v1/nodes/parts/proxy/", { "x-forwarded-for": repeated("1.1.1.1,") }),
    sent("Cookie", "/api/v1/nodes/parts/proxy/", { cookie: repeated("a=b;") }),
    ...["application/json;", "application/json;a=b;", ";", 'a="'].map(
      (piece): HostileRequest => ({
        kind: `parts of Content-Type ${piece}`,
        method: "PATCH",
        path: `${maps}/parts?dryRun=All`,
        headers: { "content-type": `application/merge-patch+json;${repeated(piece)}a` },
        body: "{}",
        http: "1",
      }),
    ),
    {
      kind: "parts of text of percent signs",
      method: "POST",
      path: `${core}/limitranges/scale`,
      headers: { "content-type": "text/plain" },
      body: "%".repeat(2_500_000),
      http: "1",
    },
  ];
}
