import { beforeEach, expect, test } from "vitest";
import type { ServedResource } from "./api-catalog.js";
import type { ExtensionServer } from "./extension-server.js";
import { GroupTable } from "./group-table.js";
import { customResourcePriority } from "./resource-offer.js";

let table: GroupTable;

beforeEach(() => {
  table = new GroupTable();
});

/** The table only uses the name of a resource. */
function served(resource: string): ServedResource {
  return { definition: { resource } } as ServedResource;
}

const extension: ExtensionServer = {
  target: () => undefined,
  resources: [],
  swagger: undefined,
  openApi3: undefined,
};

function shown(): string[] {
  return table
    .sorted()
    .flatMap(({ group, versions }) =>
      versions.map(
        ({ version, resources, extension: other }) =>
          `${group}/${version}: ${other === undefined ? [...resources.keys()].join(" ") : "delegated"}`,
      ),
    );
}

test("groups come by priority and name, versions by priority and age, resources by name", () => {
  table.set("b.example.com", "v1", served("zebras"), customResourcePriority);
  table.set("b.example.com", "v1", served("apes"), customResourcePriority);
  table.set("b.example.com", "v2beta1", served("apes"), customResourcePriority);
  table.set("b.example.com", "v2", served("apes"), customResourcePriority);
  table.set("a.example.com", "v1", served("things"), customResourcePriority);
  table.set("apps", "v1", served("deployments"), { group: 17_800, version: 15 });
  expect(shown()).toEqual([
    "apps/v1: deployments",
    "a.example.com/v1: things",
    "b.example.com/v2: apes",
    "b.example.com/v1: apes zebras",
    "b.example.com/v2beta1: apes",
  ]);
});

test("what has not changed stays the same object", () => {
  table.set("a", "v1", served("things"), customResourcePriority);
  table.set("b", "v1", served("things"), customResourcePriority);
  const [a, b] = table.sorted();
  expect(table.sorted()[0]).toBe(a);
  table.set("b", "v2", served("things"), customResourcePriority);
  expect(table.sorted()[0]).toBe(a);
  expect(table.sorted()[1]).not.toBe(b);
  expect(table.sorted()[1]?.versions[1]).toBe(b?.versions[0]);
});

test("the last resource of a version takes the version along, and the last version its group", () => {
  table.set("a", "v1", served("things"), customResourcePriority);
  table.set("a", "v2", served("things"), customResourcePriority);
  table.remove("a", "v1", "things");
  expect(shown()).toEqual(["a/v2: things"]);
  table.remove("a", "v2", "things");
  table.remove("a", "v2", "things");
  expect(table.sorted()).toEqual([]);
  expect(table.find("a", "v2", "things")).toBeUndefined();
});

test("a delegated version stands in front of the resources of its name, at its own place", () => {
  table.set("a", "v1", served("things"), customResourcePriority);
  table.delegate("a", "v1", extension, { group: 10, version: 10 });
  table.delegate("b", "v1", extension, { group: 20, version: 10 });
  expect(shown()).toEqual(["b/v1: delegated", "a/v1: delegated"]);
  expect(table.extension("a", "v1")).toBe(extension);
  expect([...table.localVersions()].map(({ group }) => group)).toEqual(["a"]);
  table.undelegate("a", "v1");
  table.undelegate("b", "v1");
  table.undelegate("b", "v1");
  expect(shown()).toEqual(["a/v1: things"]);
  expect(table.extension("a", "v1")).toBeUndefined();
});
