import type { HostileCase } from "./corpus.js";
import { customResourceValues } from "./custom-resource-values.js";
import { definitionRequests } from "./definition-requests.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";
import { manyItems } from "./many-items.js";
import { most } from "./sizes.js";

const core = "/api/v1/namespaces/default";
const maps = `${core}/configmaps`;
const limits = { terms: 60_000, yamlBodies: 8 };
const bodyBytes = 2_900_000;

/** Requests within the limits that cost far more than they look. */
export function longRequests(): readonly HostileCase[] {
  return [
    ...jsonPatches(),
    { name: "selectors", requests: selectors() },
    { name: "quantities", requests: quantities() },
    manyItems(),
    customResourceValues(),
    ...definitionRequests(),
    { name: "texts", requests: texts() },
    { name: "headers", requests: headers() },
    { name: "YAML", together: true, requests: yaml() },
    { name: "unread lists", together: true, requests: unreadLists() },
  ];
}

function jsonPatches(): readonly HostileCase[] {
  const patch = (kind: string, path: string, operations: readonly object[]): HostileRequest =>
    json(`json-patch ${kind}`, "PATCH", `${path}?dryRun=All`, operations, "application/json-patch+json");
  const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const data = (name: string, keys: number): HostileRequest =>
    json("prepare", "POST", maps, { metadata: { name }, data: record(keys, (i) => [`k${i}`, "v"]) });
  const numbers = {
    metadata: { name: "numbers" },
    revision: 1,
    data: { list: range(most.members, () => 0) },
  };
  return [
    {
      name: "JSON patches",
      before: [data("patched", 1), data("wide", most.stored), json("prepare", "POST", revisions, numbers)],
      requests: [
        patch(
          "add",
          `${maps}/patched`,
          range(10_000, (i) => ({ op: "add", path: `/data/k${i}`, value: "x" })),
        ),
        patch("escapes in a path", `${maps}/patched`, [
          { op: "add", path: `/data/${"~0~1".repeat(700_000)}`, value: "x" },
        ]),
        patch(
          "replace",
          `${maps}/wide`,
          range(10_000, (i) => ({ op: "replace", path: `/data/k${i}`, value: "y" })),
        ),
        {
          ...patch(
            "replace, left",
            `${maps}/wide`,
            range(10_000, (i) => ({ op: "replace", path: `/data/k${i}`, value: "z" })),
          ),
          leaveAfterMs: 300,
        },
        patch(
          "remove",
          `${maps}/wide`,
          range(10_000, (i) => ({ op: "remove", path: `/data/k${i}` })),
        ),
        patch(
          "move",
          `${revisions}/numbers`,
          range(100, () => ({ op: "move", from: "/data/list/0", path: `/data/list/${most.members - 2}` })),
        ),
        patch(
          "copy",
          `${revisions}/numbers`,
          range(20, (i) => ({ op: "copy", from: "/data/list", path: `/data/copy${i}` })),
        ),
        patch(
          "test",
          `${revisions}/numbers`,
          range(10_000, () => ({ op: "test", path: "/data/list", value: 1 })),
        ),
      ],
    },
  ];
}

function selectors(): readonly HostileRequest[] {
  const get = (kind: string, query: string): HostileRequest => ({
    kind,
    method: "GET",
    path: `${maps}?${query}`,
  });
  const terms = range(limits.terms, (i) => `a!=${i}`).join(",");
  const values = range(limits.terms, (i) => `v${i}`).join(",");
  return [
    get("label selector, terms", `labelSelector=${terms}`),
    get("label selector, values", `labelSelector=a+notin+(${values})`),
    get("field selector, terms", `fieldSelector=${range(30_000, (i) => `metadata.name!=${i}`).join(",")}`),
    get("label selector, watch", `watch=1&timeoutSeconds=1&labelSelector=${terms}`),
    {
      kind: "label selector, deletecollection",
      method: "DELETE",
      path: `${maps}?dryRun=All&labelSelector=${terms}`,
    },
  ];
}

/** As many as a body may hold, of each length and size that is dear to convert, compare or print. */
function quantities(): readonly HostileRequest[] {
  const spellings = [
    "9e999",
    "9e9999",
    `1${"0".repeat(60)}e-60`,
    "9".repeat(560),
    `0.${"3".repeat(560)}`,
    "1e-9999",
  ];
  const post = (kind: string, name: string, count: number, spelling: string): HostileRequest =>
    json(`quantities, ${kind}`, "POST", `${core}/limitranges?dryRun=All`, {
      metadata: { name: "quantities" },
      spec: {
        limits: [
          {
            type: "Container",
            max: record(count, (i) => [`${name}${i}`, spelling]),
            min: record(count, (i) => [`${name}${i}`, "1"]),
          },
        ],
      },
    });
  const amounts = (count: number, spelling: string): object =>
    record(count, (i) => [`example.com/r${i}`, spelling]);
  const create = (kind: string, path: string, object: object): HostileRequest =>
    json(`quantities, ${kind}`, "POST", `${path}?dryRun=All`, {
      metadata: { name: "quantities" },
      ...object,
    });
  const resources = (limits: object): object => ({ name: "c", image: "i", resources: { limits } });
  return spellings.flatMap((spelling) => {
    const count = Math.floor(bodyBytes / (spelling.length + 25));
    return [
      create("pod", `${core}/pods`, {
        spec: { containers: [resources(amounts(count, spelling))] },
      }),
      create("containers", `${core}/pods`, {
        spec: {
          containers: range(Math.floor(count / 4), (i) => ({
            ...resources(amounts(1, spelling)),
            name: `c${i}`,
          })),
        },
      }),
      create("quota", `${core}/resourcequotas`, { spec: { hard: amounts(count, spelling) } }),
      create("node", "/api/v1/nodes", { status: { capacity: amounts(count, spelling) } }),
      post("of resources", "example.com/r", count / 2, spelling),
      post("of no resources", "r", count / 2, spelling),
    ];
  });
}

/** A few long values. */
function texts(): readonly HostileRequest[] {
  const post = (kind: string, path: string, body: string): HostileRequest => ({
    kind: `text, ${kind}`,
    method: "POST",
    path: `${path}?dryRun=All`,
    headers: { "content-type": "application/json" },
    body,
  });
  const map = (text: string): string => `{"metadata":{"name":"text"},"data":{"a":${text}}}`;
  return [
    post("plain", maps, map(`"${"x".repeat(1_000_000)}"`)),
    post("beyond ASCII", maps, map(`"${"\u00e9\u4e2d".repeat(190_000)}"`)),
    post("escapes", maps, map(`"${"\\u0041".repeat(500_000)}"`)),
    post("escapes, bad end", maps, map(`"${"\\u0041".repeat(500_000)}\\x"`)),
    post("escapes of surrogates", maps, map(`"${"\\ud83d".repeat(500_000)}"`)),
    post("long integers", maps, map(`[${"12345678901234567890,".repeat(20_000)}1]`)),
    post("white space", maps, map(`${" ".repeat(2_900_000)}"b"`)),
    post("base64", `${core}/secrets`, map(`"${"QUJD".repeat(250_000)}"`)),
    post("name", maps, `{"metadata":{"name":"${"a.".repeat(1_400_000)}"}}`),
    post("annotation", maps, `{"metadata":{"name":"a","annotations":{"a":"${"x".repeat(2_900_000)}"}}}`),
    post("HTML", maps, map(`"${"<".repeat(1_400_000)}"`)),
    post("HTML, alternating", maps, map(`"${"<\u00e9&\u4e2d".repeat(200_000)}"`)),
    post("HTML in a key", maps, `{"metadata":{"name":"text"},"data":{"${"<".repeat(1_400_000)}":"v"}}`),
    post("quotes", maps, map(`"${'\\"'.repeat(700_000)}"`)),
    post("name, line breaks", maps, `{"metadata":{"name":"${"\\n".repeat(140_000)}"}}`),
    post("name, private characters", maps, `{"metadata":{"name":"${"\ue000".repeat(900_000)}"}}`),
    post(
      "name, line breaks, autoscaler",
      "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
      `{"metadata":{"name":"${"\\n".repeat(140_000)}"},"spec":{"scaleTargetRef":{"kind":"A","name":"a"},"maxReplicas":1}}`,
    ),
    post(
      "selector, line breaks",
      "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
      `{"metadata":{"name":"a"},"spec":{"podSelector":{"matchLabels":{"${"\\n".repeat(270_000)}":"${"\\n".repeat(270_000)}"}}}}`,
    ),
    post("time", maps, `{"metadata":{"name":"a","creationTimestamp":"${"\x7f".repeat(2_900_000)}"}}`),
    post(
      "time with fractions",
      "/apis/coordination.k8s.io/v1/namespaces/default/leases",
      `{"metadata":{"name":"a"},"spec":{"renewTime":"${"1".repeat(2_900_000)}"}}`,
    ),
    post("label, slashes", maps, `{"metadata":{"name":"a","labels":{"${"/".repeat(2_900_000)}":"b"}}}`),
    post(
      "schedule",
      "/apis/batch/v1/namespaces/default/cronjobs",
      `{"metadata":{"name":"a"},"spec":{"schedule":"${"1,".repeat(1_400_000)}"}}`,
    ),
    ...["", "?dryRun=All"].map((query) => ({
      ...post(
        `HTML in an event${query}`,
        "",
        `{"metadata":{"name":"e"},"eventTime":"2024-01-01T00:00:00.000000Z","reportingController":"example.com/c","reportingInstance":"i","action":"a","reason":"r","regarding":{"namespace":"default"},"type":"Normal","related":{"apiVersion":"${"&".repeat(1_400_000)}"}}`,
      ),
      path: `/apis/events.k8s.io/v1/namespaces/default/events${query}`,
    })),
    post(
      "HTML in a list key",
      `${core}/pods`,
      `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"${"&".repeat(2_900_000)}","image":"i"}]}}`,
    ),
    post(
      "HTML in an image",
      `${core}/podtemplates`,
      `{"metadata":{"name":"a"},"template":{"spec":{"containers":[{"name":"c","image":"${"&".repeat(2_900_000)}"}]}}}`,
    ),
    post("label", maps, `{"metadata":{"name":"a","labels":{"${"a/".repeat(1_400_000)}":"b"}}}`),
    post(
      "image",
      `${core}/pods`,
      `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"${"a/".repeat(1_400_000)}"}]}}`,
    ),
    post(
      "environment",
      `${core}/pods`,
      `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","env":[{"name":"A","value":"${"$(A)".repeat(300_000)}"}]}]}}`,
    ),
  ];
}

function headers(): readonly HostileRequest[] {
  const list = (count: number, make: (i: number) => string): [string, string][] =>
    range(count, (i) => [make(i), "x"]);
  const get = (
    kind: string,
    headerList: HostileRequest["headerList"] & object,
    anonymous = false,
  ): HostileRequest => ({
    kind,
    method: "GET",
    path: `${maps}/canary`,
    headerList,
    anonymous,
    http: "1",
  });
  const extras = list(32_000, (i) => `Impersonate-Extra-${i}`);
  const user: [string, string] = ["Impersonate-User", "jane"];
  return [
    get("headers, impersonation, anonymous", [user, ...extras], true),
    get("headers, impersonation", [user, ...extras]),
    get("headers, impersonation without a user", extras),
    get("headers, impersonation of __proto__", [user, ["Impersonate-Extra-__proto__", "x"]]),
    get("headers, groups", [user, ["Impersonate-Group", "g,".repeat(200_000)]]),
    get(
      "headers, many",
      list(60_000, (i) => `X-${i}`),
    ),
    get("headers, accept", [["Accept", "a/b;q=0.1,".repeat(90_000)]]),
    get("headers, accept parameters", [["Accept", `a/b${";a=b".repeat(200_000)}`]]),
    get("headers, authorization", [["Authorization", `Bearer ${"a.".repeat(400_000)}`]], true),
    get("headers, user agent", [["User-Agent", "(".repeat(900_000)]]),
    get("headers, accept-encoding", [["Accept-Encoding", "gzip;q=0,".repeat(100_000)]]),
    get("headers, if-none-match", [["If-None-Match", '"a",'.repeat(200_000)]]),
    { ...get("headers, openapi etag", [["If-None-Match", '"a",'.repeat(200_000)]]), path: "/openapi/v2" },
    {
      kind: "query, parameters",
      method: "GET",
      path: `${maps}?${range(100_000, (i) => `a${i}=b`).join("&")}`,
    },
    { kind: "query, escapes", method: "GET", path: `${maps}?labelSelector=${"%20".repeat(300_000)}` },
    { kind: "path, slashes", method: "GET", path: `/api/v1${"/".repeat(900_000)}` },
    { kind: "path, escapes", method: "GET", path: `/api/v1/${"%2e".repeat(300_000)}` },
  ];
}

function yaml(): readonly HostileRequest[] {
  const post = (kind: string, body: string): HostileRequest => ({
    kind,
    method: "POST",
    path: `${maps}?dryRun=All`,
    headers: { "content-type": "application/yaml" },
    body,
  });
  const lines = (count: number): string =>
    `metadata:\n  name: yaml\ndata:\n${range(count, (i) => `  key-${i}: "a value ${i}"\n`).join("")}`;
  return [
    ...range(limits.yamlBodies, () => post("YAML, 2.8 MB", lines(90_000))),
    post("YAML, 80 KB", lines(2_700)),
    post(
      "YAML, anchors",
      `a: &a [${"x,".repeat(1000)}x]\nb: &b [${"*a,".repeat(1000)}*a]\nc: [${"*b,".repeat(1000)}*b]\n`,
    ),
    post("YAML, flow", "[".repeat(400_000)),
    post("YAML, block", "- ".repeat(1_400_000)),
    post("YAML, quotes", `a: "${"\\x41".repeat(600_000)}"`),
    post("YAML, merges", `a: &a {b: c}\n${range(60_000, (i) => `k${i}: {<<: *a}\n`).join("")}`),
    post("YAML, documents", "---\n".repeat(600_000)),
    post("YAML, spaces", `a:${" ".repeat(2_800_000)}b`),
  ];
}

function unreadLists(): readonly HostileRequest[] {
  const list = (kind: string, query: string, accept: string): HostileRequest => ({
    kind,
    method: "GET",
    path: `${maps}${query}`,
    headers: { accept },
    leaveAfterMs: 2000,
  });
  return [
    ...range(8, () => list("list, pretty", "?pretty=true", "application/json")),
    list("list, YAML", "", "application/yaml"),
    list("list, Table", "", "application/json;as=Table;g=meta.k8s.io;v=v1"),
    list("list, metadata", "", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
    list("list, protobuf", "", "application/vnd.kubernetes.protobuf"),
  ];
}
