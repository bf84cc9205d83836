import { afterEach, describe, expect, test } from "vitest";
import { type ApiLevel, apiLevels, hasLevel } from "../../src/apimachinery/levels/api-level.js";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import { allVerbs } from "../../src/apis/definition/define-resource.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { resourceListDocument } from "../../src/endpoints/discovery/documents.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";
import { isServedByDefault, type LevelResource, resourcesAt, storageVersionsAt } from "./level-resources.js";

/** Resources and subresources that Kubernetes has and this server does not have yet, at any level. Only becomes shorter. */
const notYet: readonly string[] = [];

/** Newer clients use flow control in v1, which Kubernetes 1.23 does not have. */
const additions: { readonly [L in ApiLevel]?: readonly string[] } = {
  "1.23": ["flowcontrol.apiserver/v1/flowschemas", "flowcontrol.apiserver/v1/prioritylevelconfigurations"],
};

const { naming } = testApiContext();
let ground: ApiGround | undefined;

afterEach(async () => {
  await ground?.dispose();
  ground = undefined;
});

describe.each(apiLevels)("level %s", (level) => {
  test("discovery lists the resources of the level", async () => {
    ground = await openApiGround({ apiLevel: level });
    const listed = ground.server.catalog.groups().flatMap(({ group, versions }) =>
      versions.flatMap((version) => {
        const { resources } = resourceListDocument(group, version, { hashes: false, level }) as Json;
        return resources.map((entry: Json) => listedEntry(group, version.version, entry));
      }),
    );
    const known = listed.filter(
      ({ resource }) => !additions[level]?.some((name) => resource.startsWith(name)),
    );
    expect(sorted(known)).toEqual(
      sorted(
        resourcesAt(level)
          .filter((resource) => isServedByDefault(resource, level))
          .flatMap((resource) => expectedEntries(resource, level))
          .filter(({ resource }) => !isMissing(resource)),
      ),
    );
  });

  test("the resources have the versions and the storage versions of the level", () => {
    const definitions = builtinResources(testApiContext({ level }));
    const declared = definitions.flatMap(({ group, resource, versions }) =>
      versions.map(({ version }) => nameOf(group, version, resource)),
    );
    const expected = resourcesAt(level).map(({ resource }) => resource);
    expect(declared.sort()).toEqual(
      [...expected.filter((name) => !notYet.includes(name)), ...(additions[level] ?? [])].sort(),
    );
    const stored = storageVersionsAt(level);
    for (const { group, resource, storage } of definitions) {
      if (storage === undefined) continue;
      const name = [naming.groupStem(storage.group ?? group), resource]
        .filter((part) => part !== "")
        .join("/");
      const version = stored.get(name) ?? "";
      // A kind that lacks a version is not stored in it either.
      if (notYet.includes(nameOf(group, version, resource))) continue;
      expect([name, storage.version]).toEqual([name, version]);
    }
  });
});

test("behaviours listed as missing are not implemented", () => {
  const missing = new Set(notYet);
  for (const level of apiLevels) {
    for (const { group, resource, versions, subresources } of builtinResources(testApiContext({ level }))) {
      for (const { version } of versions) {
        const name = nameOf(group, version, resource);
        missing.delete(name);
        for (const subresource of subresources) missing.delete(`${name}/${subresource.name}`);
      }
    }
  }
  expect([...missing].sort()).toEqual([...notYet].sort());
});

function isMissing(resource: string): boolean {
  return notYet.some((name) => resource === name || resource.startsWith(`${name}/`));
}

/** As discovery shows it, except for the names. */
type Entry = Json & { readonly resource: string };

function nameOf(group: string, version: string, resource: string): string {
  return [naming.groupStem(group), version, resource].filter((part) => part !== "").join("/");
}

function listedEntry(group: string, version: string, { name, singularName: _, ...entry }: Json): Entry {
  return { resource: nameOf(group, version, name), ...entry };
}

function expectedEntries(of: LevelResource, level: ApiLevel): Entry[] {
  const { resource, kind, namespaced, shortNames, categories, verbs, subresources = {} } = of;
  return [
    {
      resource,
      kind,
      namespaced,
      verbs: verbs?.split(" ") ?? allVerbs,
      ...(shortNames && { shortNames }),
      ...(categories && { categories }),
    },
    ...Object.entries(subresources)
      .filter(([, subresource]) => hasLevel(subresource, level))
      .map(([name, { verbs: those, group, version, ...rest }]) => ({
        resource: `${resource}/${name}`,
        kind: rest.kind,
        namespaced,
        verbs: those.split(" "),
        ...(group !== undefined && { group: naming.group(group), version }),
      })),
  ];
}

function sorted(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((a, b) => (a.resource < b.resource ? -1 : 1));
}
