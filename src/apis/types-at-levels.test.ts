import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type ApiLevel, apiLevels } from "../apimachinery/levels/api-level.js";
import { messageAtLevel } from "../apimachinery/schema/at-level.js";
import type { MessageDeclaration, TypePackage } from "../apimachinery/schema/declaration.js";
import { MergeTypes } from "../apimachinery/schema/merge-type.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import { typePackages } from "./type-packages.js";

/**
 * The fingerprints were taken when every type of every level was compared, field by field, with Kubernetes' own sources. A change of one is a
 * change of the API at that level: `vitest -u` records it.
 */
test("the types of each level are those that Kubernetes has", async () => {
  const lines = typePackages.flatMap((each) => [each.name, ...fingerprintsOf(each)]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/fixtures/type-fingerprints.txt");
});

/** One line for each level that differs from the one before. */
function fingerprintsOf({ declare }: TypePackage): string[] {
  const types = Object.entries(declare());
  let last = "";
  return apiLevels.flatMap((level) => {
    const listing = types.flatMap(([name, type]) => listed(name, messageAtLevel(type, level)));
    const digest = createHash("sha256").update(listing.join("\n")).digest("hex").slice(0, 16);
    if (digest === last) return [];
    last = digest;
    return [`  ${level}: ${types.length} types, ${listing.length - types.length} fields, ${digest}`];
  });
}

function listed(name: string, { fields, ...attributes }: MessageDeclaration): string[] {
  const ofFields = Object.entries(fields).map(([field, declaration]) => {
    // Attributes that clients see, unlike those that only the server uses.
    const own = [
      "since",
      "until",
      "rules",
      "featureGate",
      "keepsGatedFields",
      "elementName",
      "collectionName",
    ];
    return `${name}.${field} ${sorted(declaration, own)}`;
  });
  return [`${name} ${sorted(attributes)}`, ...ofFields];
}

function sorted(attributes: object, except: readonly string[] = []): string {
  const entries = Object.entries(attributes).filter(([name]) => !except.includes(name));
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.each<[ApiLevel, unknown]>([
  ["1.23", null],
  ["1.33", null],
  ["1.34", undefined],
  ["1.36", undefined],
])("at %s, an absent time of creation is %s to managed fields", (level, implicit) => {
  const schemas = new SchemaRegistry(typePackages, { level });
  const type = new MergeTypes({ mayOmitKeys: false }).of(schemas.message("meta/v1.ObjectMeta"));
  expect(type.field("creationTimestamp")?.implicit).toBe(implicit);
});
