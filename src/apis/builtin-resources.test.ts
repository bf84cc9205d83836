import { describe, expect, test } from "vitest";
import { apiLevels } from "../apimachinery/levels/api-level.js";
import type { ApiObject } from "../apimachinery/objects/meta.js";
import { builtinResources } from "./builtin-resources.js";
import { convertFromHub, convertToHub, type ResourceDefinition } from "./definition/resource-definition.js";
import { groupOrder } from "./group-order.js";
import { testApiContext } from "./testing/api-context.js";

const context = testApiContext();
const definitions = builtinResources(context);
const now = new Date("2022-01-01T00:00:00Z");

const cases = definitions.map((definition) => ({
  name: definition.group === "" ? definition.resource : `${definition.resource}.${definition.group}`,
  definition,
}));

/** The hub form of `{}` as the first version's codec decodes it, as strategies and columns see it. */
function minimalHub(definition: ResourceDefinition): ApiObject {
  const version = definition.versions.find((v) => v.conversion.hub) ?? definition.versions[0];
  if (version === undefined) throw new Error(`${definition.resource} has no versions`);
  const object = version.codec.fromJson({ metadata: { name: "a" } });
  version.setDefaults(object);
  return convertToHub(version, object);
}

describe.each(cases)("$name", ({ definition }) => {
  test("has one hub: a version of its own, of another level, or of the resource that stores it", () => {
    const hubs = definition.versions.filter((version) => version.conversion.hub).length;
    expect(hubs).toBe(definition.hub === undefined ? 1 : 0);
  });

  test("names its versions once each", () => {
    const names = definition.versions.map(({ version }) => version);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(definition.versions)("converts a minimal object of $version to the hub and back", (version) => {
    const { codec } = version;
    const convert = (object: ApiObject): ApiObject =>
      convertFromHub(version, convertToHub(version, codec.clone(object)));
    const object = codec.fromJson({ metadata: { name: "a" } });
    version.setDefaults(object);
    // An autoscaler without metrics gets the default one on the way.
    const before = definition.kind === "HorizontalPodAutoscaler" ? convert(object) : object;
    expect(codec.toJson(convert(before))).toBe(codec.toJson(before));
  });

  test.each(definition.versions)("reads what it wrote as protobuf in $version", (version) => {
    const object = version.codec.fromJson({ metadata: { name: "a" } });
    version.setDefaults(object);
    const read = version.codec.fromProto(version.codec.toProto(object));
    expect(version.codec.toJson(read)).toBe(version.codec.toJson(object));
  });

  test.each(definition.versions)("sets the defaults of $version once for all", (version) => {
    const object = version.codec.fromJson({ metadata: { name: "a" } });
    version.setDefaults(object);
    const once = version.codec.toJson(object);
    version.setDefaults(object);
    expect(version.codec.toJson(object)).toBe(once);
  });

  test("is a kind of that name in every version", () => {
    for (const { codec } of definition.versions) expect(codec.schema?.kind).toBe(definition.kind);
  });

  test("prints as many cells as it has columns", () => {
    const { columns } = definition;
    if (columns === undefined) return;
    expect(columns.cells(minimalHub(definition), now)).toHaveLength(columns.columns.length);
  });

  test("prints the object of a bookmark, which has no defaults", () => {
    const { columns } = definition;
    const hub = definition.versions.find(({ conversion }) => conversion.hub);
    if (columns === undefined || hub === undefined) return;
    const cells = columns.cells(hub.codec.fromJson({ metadata: { resourceVersion: "1" } }), now);
    expect(cells).toHaveLength(columns.columns.length);
  });

  test("has a value for every selectable field", () => {
    const { names, values } = definition.selectableFields;
    const keys = Object.keys(values(minimalHub(definition)));
    // Events have the field names of both their groups.
    if (definition.resource === "events") expect(keys).toEqual(expect.arrayContaining([...names]));
    else expect([...keys].sort()).toEqual([...names].sort());
  });

  test("is stored in one of its versions", () => {
    const { storage } = definition;
    if (storage === undefined) {
      expect(definition.verbs).not.toContain("watch");
      return;
    }
    const owner =
      storage.group === undefined
        ? definition
        : definitions.find((d) => d.group === storage.group && d.resource === definition.resource);
    expect(owner?.versions.map(({ version }) => version)).toContain(storage.version);
  });

  test("is in the order of groups in all its versions", () => {
    const entry = groupOrder(context.naming, context.level).find(({ group }) => group === definition.group);
    for (const { version } of definition.versions) expect(entry?.versions).toContain(version);
  });

  test("names its subresources once each", () => {
    const names = definition.subresources.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test("no two resources store under the same prefix, except for the two of events", () => {
  const prefixes = definitions.flatMap(({ storage }) =>
    storage === undefined || storage.group !== undefined ? [] : [storage.prefix],
  );
  expect(prefixes.filter((prefix, index) => prefixes.indexOf(prefix) < index)).toEqual([]);
  const shared = definitions.filter(({ storage }) => storage?.group !== undefined);
  expect(shared.map(({ resource }) => resource)).toEqual(["events"]);
});

test("no prefix is the beginning of another one's path", () => {
  const prefixes = definitions.flatMap(({ storage }) => (storage === undefined ? [] : [storage.prefix]));
  for (const prefix of prefixes) {
    expect(prefixes.filter((other) => other.startsWith(`${prefix}/`))).toEqual([]);
  }
});

test("no group has two resources of one name, kind or short name", () => {
  for (const { group } of groupOrder(context.naming, context.level)) {
    const ofGroup = definitions.filter((definition) => definition.group === group);
    const names = ofGroup.flatMap(({ resource, shortNames }) => [resource, ...shortNames]);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ofGroup.map(({ kind }) => kind)).size).toBe(ofGroup.length);
  }
});

test.each(["orch", "kubernetes"] as const)(
  "every group has a place in the words of profile %s",
  (profile) => {
    const { naming } = testApiContext({ profile });
    for (const level of apiLevels) {
      const groups = builtinResources(testApiContext({ profile, level })).map(({ group }) => group);
      const placed = groupOrder(naming, level).map(({ group }) => group);
      expect(placed).toEqual(expect.arrayContaining(groups));
    }
  },
);

test("the groups' priorities fall in the order of discovery", () => {
  const priorities = groupOrder(context.naming, context.level).map(
    ({ groupPriorityMinimum }) => groupPriorityMinimum,
  );
  expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
});
