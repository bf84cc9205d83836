import { expect, test } from "vitest";
import type { AdmissionAttributes, AdmissionOperation } from "../admission-attributes.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";

type State = { readonly terminating: boolean; readonly deletionTimestamp: string | undefined };

const active: State = { terminating: false, deletionTimestamp: undefined };
const terminating: State = { terminating: true, deletionTimestamp: "2021-12-07T00:00:00Z" };

/** A cache that may be behind the store. */
function open(states: { cached?: State | undefined; newest?: State | undefined }) {
  const looks: string[] = [];
  const current = { ...states };
  let now = 0;
  const plugin = namespaceLifecycle({
    namespaces: {
      find: async (_name, version) => {
        looks.push(version);
        return current[version];
      },
    },
    immortal: ["default"],
    exempt: ["authorization.example.io/localsubjectaccessreviews"],
    now: () => now,
  });
  const admit = (operation: AdmissionOperation, resource = "pods", name = "x") =>
    plugin.mutate?.({
      operation,
      resource: { group: "", version: "v1", resource },
      namespace: resource === "namespaces" ? "" : "a",
      name,
    } as unknown as AdmissionAttributes); // what the plugin looks at
  return {
    looks,
    current,
    admit,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("nothing is created in a namespace that does not exist or goes", async () => {
  await expect(open({}).admit("CREATE")).rejects.toMatchObject({ code: 404 });
  await expect(open({ cached: terminating }).admit("CREATE")).rejects.toMatchObject({ code: 403 });
  await open({}).admit("DELETE");
});

test("a namespace that the cache has yet to hear of is looked up in the store", async () => {
  const { admit, looks, current } = open({ newest: active });
  await admit("CREATE");
  expect(looks).toEqual(["cached", "newest"]);
  current.cached = active;
  await admit("CREATE");
  expect(looks.slice(2)).toEqual(["cached"]);
});

test("of a namespace that was just deleted the cache is not believed, for a while", async () => {
  const { admit, looks, current, pass } = open({ cached: active, newest: active });
  await admit("DELETE", "namespaces", "a");
  current.newest = terminating;
  await expect(admit("CREATE")).rejects.toMatchObject({ code: 403 });
  pass(31_000);
  current.cached = terminating;
  await expect(admit("CREATE")).rejects.toMatchObject({ code: 403 });
  expect(looks).toEqual(["newest", "cached"]);
});

test("the first namespaces cannot be deleted", async () => {
  await expect(open({}).admit("DELETE", "namespaces", "default")).rejects.toMatchObject({ code: 403 });
});
