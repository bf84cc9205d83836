import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";

const namespace = "/api/v1/namespaces/dependents";
const maps = `${namespace}/configmaps`;

/** Objects that controllers of the server look at once they are written: each request is one, and what follows of it. */
export function dependents(): readonly HostileCase[] {
  const after: HostileRequest = { kind: "after the write", method: "GET", path: `${namespace}/secrets` };
  const many = 15_000;
  const owned = (kind: string, name: string, owner: (index: number) => object): readonly HostileRequest[] => [
    json(`owners, ${kind}`, "POST", maps, { metadata: { name, ownerReferences: range(many, owner) } }),
    ...range(10, () => after),
  ];
  return [
    {
      name: "owners",
      before: [
        json("prepare", "POST", "/api/v1/namespaces", { metadata: { name: "dependents" } }),
        json("prepare", "POST", maps, {
          metadata: { name: "wide" },
          data: record(24_000, (i) => [`k${i}`, "v"]),
        }),
      ],
      requests: [
        ...owned("one name", "of-one", (i) => ({
          apiVersion: "v1",
          kind: "ConfigMap",
          name: "wide",
          uid: `u${i}`,
        })),
        ...owned("absent", "of-none", (i) => ({
          apiVersion: "v1",
          kind: "ConfigMap",
          name: `a${i}`,
          uid: `u${i}`,
        })),
        ...owned("unknown kind", "of-unknown", (i) => ({
          apiVersion: "a/v1",
          kind: "A",
          name: `a${i}`,
          uid: `u${i}`,
        })),
      ],
    },
  ];
}
