import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";

const maps = "/api/v1/namespaces/default/configmaps";
const sets = "/apis/apps/v1/namespaces/default/statefulsets";
const members = 24_990;
const types = {
  strategic: "application/strategic-merge-patch+json",
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
};

/** Large patches whose result does not fit the type: the answer shows the patch, or what it makes of the object. */
export function refusedPatches(): HostileCase {
  const set = {
    metadata: { name: "refused" },
    spec: {
      serviceName: "s",
      selector: { matchLabels: { a: "b" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
    },
  };
  const spec = (given: unknown): object => ({ spec: { replicas: "none", ...(given as object) } });
  const patches: readonly (readonly [string, object])[] = [
    ["keys", spec(record(members, (i) => [`k${i}`, "v"]))],
    ["objects", spec(record(members, (i) => [`k${i}`, { a: 1, b: 2 }]))],
    ["items", spec({ list: range(members, (i) => `item ${i}`) })],
    ["containers", spec({ template: { spec: { containers: range(members, (i) => ({ name: i })) } } })],
    ["text", spec({ a: "x".repeat(2_900_000) })],
    ["private characters", spec({ a: "\ue000".repeat(950_000) })],
    ["long key", spec({ ["a.".repeat(1_400_000)]: 1 })],
    ["labels", { metadata: { labels: record(members, (i) => [`k${i}`, i]) } }],
    ["kind", { kind: 1, ...spec({ list: range(members, () => ({ a: [1] })) }) }],
    ["directive", { spec: { template: { $patch: "a/".repeat(1_400_000) } } }],
    [
      "order",
      {
        spec: {
          template: { spec: { "$setElementOrder/containers": range(members, (i) => ({ name: `${i}` })) } },
        },
      },
    ],
  ];
  const patch = (what: string, path: string, body: unknown, type: string): HostileRequest =>
    json(`refused ${what}`, "PATCH", `${path}/refused?dryRun=All`, body, type);
  return {
    name: "refused patches",
    before: [
      json("prepare", "POST", sets, set),
      json("prepare", "POST", maps, {
        metadata: { name: "refused" },
        data: record(24_000, (i) => [`k${i}`, "v"]),
      }),
    ],
    requests: [
      ...patches.flatMap(([what, body]) => [
        patch(`strategic patch, ${what}`, sets, body, types.strategic),
        patch(`merge patch, ${what}`, sets, body, types.merge),
        patch(`JSON patch, ${what}`, sets, [{ op: "add", path: "/spec", value: body }], types.json),
      ]),
      patch("strategic patch of a wide object", maps, { data: [] }, types.strategic),
      patch("merge patch of a wide object", maps, { data: { k1: {} } }, types.merge),
      patch("JSON patch of a wide object", maps, [{ op: "add", path: "/data/k1", value: [] }], types.json),
    ],
  };
}
