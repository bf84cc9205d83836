import type { HostileCase } from "./corpus.js";
import type { HostileRequest } from "./hostile-request.js";

const core = "/api/v1/namespaces/default";
const maps = `${core}/configmaps`;
const jsonType = "application/json";
const applyType = "application/apply-patch+yaml";

/** Small requests that were answered with 500, or made one side of the server believe what the other did not. */
export function oddRequests(): readonly HostileCase[] {
  return [
    { name: "odd numbers", requests: oddNumbers() },
    { name: "odd names", requests: oddNames() },
    {
      name: "odd applies",
      before: [send("POST", maps, { metadata: { name: "odd" } })],
      requests: oddApplies(),
    },
    { name: "odd credentials", requests: oddCredentials() },
    { name: "odd proxies", requests: oddProxies() },
    { name: "odd paths", requests: range(300, (i) => get("odd path", `/odd-${i}/${i % 7}/../x%zz`)) },
    { name: "profiles", requests: profiles() },
  ];
}

function send(method: string, path: string, body: unknown, type = jsonType): HostileRequest {
  return {
    kind: `odd ${method}`,
    method,
    path,
    headers: { "content-type": type },
    body: JSON.stringify(body),
  };
}

function raw(method: string, path: string, body: string, type = jsonType): HostileRequest {
  return { kind: `odd ${method}`, method, path, headers: { "content-type": type }, body };
}

function get(kind: string, path: string): HostileRequest {
  return { kind, method: "GET", path };
}

function node(name: string, address: string): HostileRequest {
  return send("POST", "/api/v1/nodes", {
    metadata: { name },
    status: { addresses: [{ type: "InternalIP", address }] },
  });
}

function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function oddNumbers(): readonly HostileRequest[] {
  const spellings = [
    "9007199254740993",
    "1e400",
    "-0",
    "1.5",
    "99999999999999999999",
    '{"toString":1}',
    '{"valueOf":null}',
    "[]",
    "null",
  ];
  return spellings.flatMap((spelling) => [
    raw(
      "POST",
      `/apis/apps/v1/namespaces/default/deployments?dryRun=All`,
      `{"metadata":{"name":"n"},"spec":{"replicas":${spelling},"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
    ),
    raw(
      "POST",
      `${core}/services?dryRun=All`,
      `{"metadata":{"name":"n"},"spec":{"ports":[{"port":80,"targetPort":${spelling}}]}}`,
    ),
    raw("POST", `${maps}?dryRun=All`, `{"metadata":{"name":${spelling}}}`),
    raw("POST", `${maps}?dryRun=All`, `{"metadata":{"name":"n","namespace":${spelling}}}`),
    raw(
      "POST",
      `${core}/pods?dryRun=All`,
      `{"metadata":{"name":"n","deletionGracePeriodSeconds":${spelling}},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":${spelling}}}}]}}`,
    ),
    raw("DELETE", `${maps}/nothing`, `{"gracePeriodSeconds":${spelling}}`),
  ]);
}

function oddNames(): readonly HostileRequest[] {
  return [
    "__proto__",
    "constructor",
    "toString",
    "%00",
    "..",
    "%2e%2e",
    "a%2fb",
    "x".repeat(100_000),
  ].flatMap((name) => [
    get("odd name", `${maps}/${name}`),
    get("odd name", `/api/v1/${name}`),
    get("odd name", `/apis/${name}/v1/x`),
    get("odd name", `${maps}?labelSelector=${name}`),
    get("odd name", `${maps}?fieldSelector=${name}%3D1`),
    get(
      "odd name",
      `${maps}?limit=1&continue=${Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: { toString: 1 }, start: name })).toString("base64url")}`,
    ),
    send("POST", `${maps}?dryRun=All`, {
      metadata: { name: "n", labels: { [name]: "x" } },
      data: { [name]: "x" },
    }),
    send("POST", `${core}/pods?dryRun=All`, {
      metadata: { name: "n" },
      spec: { containers: [{ name: "c", image: "i", resources: { limits: {}, requests: { [name]: "1" } } }] },
    }),
    send("POST", `${core}/limitranges?dryRun=All`, {
      metadata: { name: "n" },
      spec: { limits: [{ type: "Container", max: { cpu: "1" }, default: { [name]: "1" } }] },
    }),
  ]);
}

function oddApplies(): readonly HostileRequest[] {
  const apply = (metadata: object, rest: object = {}): HostileRequest =>
    send(
      "PATCH",
      `${maps}/odd?fieldManager=m&force=true`,
      { apiVersion: "v1", kind: "ConfigMap", metadata, ...rest },
      applyType,
    );
  return [
    apply({ name: { toString: 1 } }),
    apply({ name: "odd", namespace: { toString: 1 } }),
    apply({ name: "odd", creationTimestamp: "yesterday" }),
    apply({ name: "odd", deletionTimestamp: {} }),
    apply({ name: "odd", managedFields: [{ time: "x" }] }),
    apply({ name: "odd", labels: { a: 1 } }),
    apply({ name: "odd" }, { data: { a: { b: 1 } } }),
    send(
      "PATCH",
      `${core}/services/kubernetes?dryRun=All`,
      { spec: { clusterIP: "fd00::1", ipFamilies: ["IPv6"] } },
      "application/strategic-merge-patch+json",
    ),
    send(
      "PATCH",
      "/api/v1/namespaces/default?dryRun=All&fieldManager=m",
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "default", creationTimestamp: 5 } },
      applyType,
    ),
  ];
}

function oddCredentials(): readonly HostileRequest[] {
  const part = (value: string): string => Buffer.from(value).toString("base64url");
  const token = (claims: string): string =>
    `${part('{"alg":"RS256","kid":"x"}')}.${part(claims)}.${part("signature")}`;
  const tokens = [
    token('{"exp":"1"}'),
    token('{"exp":1e999,"iss":["a"]}'),
    token('{"iss":{"toString":1},"sub":1}'),
    token("[]"),
    token("null"),
    "..",
    `${part("{")}.a.b`,
  ];
  return tokens.flatMap((each): HostileRequest[] => [
    { ...get("odd token", `${maps}/canary`), anonymous: true, headers: { authorization: `Bearer ${each}` } },
    send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: each } }),
  ]);
}

function oddProxies(): readonly HostileRequest[] {
  // Nothing of these may be dialled: the addresses are refused, or the object is not there.
  return [
    node("odd-address", "a@127.0.0.1"),
    node("octal-address", "0177.0.0.1"),
    get("odd proxy", "/api/v1/nodes/odd-address/proxy/"),
    get("odd proxy", "/api/v1/nodes/nothing/proxy/../../x"),
    get("odd proxy", `${core}/pods/http:nothing:-1/proxy/`),
    get("odd proxy", `${core}/services/https:nothing:99999/proxy/`),
  ];
}

function profiles(): readonly HostileRequest[] {
  return [
    get("profile", "/debug/pprof/"),
    get("profile", "/debug/pprof/heap?seconds=1"),
    get("profile", "/debug/pprof/profile?seconds=0.2"),
    get("profile", "/debug/pprof/profile?seconds=1e9"),
    get("profile", "/debug/pprof/cmdline"),
    get("metrics", "/metrics"),
  ];
}
