import { Buffer } from "node:buffer";
import { rootCertificates } from "node:tls";
import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { customResourceDefinitions } from "./resource.js";

const valid = Buffer.from(rootCertificates[0] ?? "").toString("base64");
const noCertificate = Buffer.from("no").toString("base64");
const broken = Buffer.from(
  "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".repeat(3),
).toString("base64");

function webhookDefinition(caBundle: string): JsonObject {
  return {
    metadata: { name: "boats.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boats", kind: "Boat" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "https://a.example", caBundle }, conversionReviewVersions: ["v1"] },
      },
    },
    status: { acceptedNames: { plural: "boats", kind: "Boat" }, storedVersions: ["v1"] },
  };
}

function at(level: ApiLevel) {
  const definition = customResourceDefinitions(testApiContext({ level }));
  return { crd: kindUnderTest(definition), strategy: definition.strategy };
}

test("an update cannot break the bundle of the conversion webhook since 1.31", () => {
  const before = at("1.30").crd;
  const since = at("1.31").crd;
  const path = "spec.conversion.webhookClientConfig.caBundle: Invalid value: []byte{0x";
  expect(before.update(webhookDefinition(noCertificate), webhookDefinition(valid)).errors).toEqual([]);
  expect(since.update(webhookDefinition(noCertificate), webhookDefinition(valid)).errors).toEqual([
    `${path}6e, 0x6f}: unable to load root certificates: unable to parse bytes as PEM block`,
  ]);
  expect(since.update(webhookDefinition(broken), webhookDefinition(valid)).errors).toEqual([
    expect.stringMatching(/failed to parse certificate$/),
  ]);
  const stays = changed(webhookDefinition(broken), "metadata.labels", { a: "b" });
  expect(since.update(stays, webhookDefinition(broken)).errors).toEqual([]);
  expect(since.create(webhookDefinition(broken)).errors).toEqual([]);
  const mixed = Buffer.from(`${Buffer.from(broken, "base64")}${rootCertificates[0]}`).toString("base64");
  expect(since.update(webhookDefinition(mixed), webhookDefinition(valid)).errors).toEqual([]);
});

test("formats that nothing checks are warned of since 1.34, unless they were there", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "integer", format: "int32" },
      b: { type: "string", format: "k8s-short-name" },
      c: { type: "string", format: "colour" },
      d: { type: "array", items: { type: "string", format: "colour" } },
      e: { type: "number", format: "int32" },
    },
  };
  const json = changed(webhookDefinition(valid), "spec.versions.0.schema.openAPIV3Schema", schema);
  const write = testWriteContext();
  const warnings = (level: ApiLevel, old?: JsonObject): string[] | undefined => {
    const { crd, strategy } = at(level);
    const object = crd.decode(json);
    return old === undefined
      ? strategy.warningsOnCreate?.(write, object)
      : strategy.warningsOnUpdate?.(write, object, crd.decode(old));
  };
  expect(warnings("1.33")).toEqual([]);
  expect(warnings("1.34")).toEqual(['unrecognized format "colour"']);
  expect(warnings("1.34", json)).toEqual([]);
  expect(warnings("1.34", webhookDefinition(valid))).toHaveLength(1);
  // Not only those of texts.
  expect(warnings("1.36")).toEqual(['unrecognized format "colour"', 'unrecognized format "int32"']);
});

const { extensionPrefix: prefix } = testApiContext().naming;
const rulesField = `${prefix}validations`;

/** A definition whose only version has the property `a` with this schema. */
function definitionWith(a: JsonObject): JsonObject {
  const schema = { type: "object", properties: { a } };
  return changed(
    changed(webhookDefinition(valid), "spec.versions.0.schema.openAPIV3Schema", schema),
    "spec.conversion",
    { strategy: "None" },
  );
}

test("a rule may go on to cost more than the limit since 1.29, while the schema of its version is the same", () => {
  const costly = definitionWith({
    type: "array",
    items: { type: "string", maxLength: 20 },
    maxItems: 1_000,
    [rulesField]: [{ rule: "self.all(a, self.all(b, a == b))" }],
  });
  const labelled = changed(costly, "metadata.labels", { a: "b" });
  const otherwise = changed(costly, "spec.versions.0.schema.openAPIV3Schema.description", "changed");
  const refused = [
    expect.stringContaining("rule: Forbidden: estimated rule cost exceeds budget by factor of"),
  ];
  for (const [level, after] of [
    ["1.28", refused],
    ["1.29", []],
  ] as const) {
    const { crd } = at(level);
    expect(crd.create(costly).errors).toEqual(refused);
    expect(crd.update(labelled, costly).errors).toEqual(after);
    expect(crd.update(otherwise, costly).errors).toEqual(refused);
  }
});

test("a rule about the change of a field of an atomic map is refused", () => {
  const rules = { [rulesField]: [{ rule: "self == oldSelf" }] };
  const map = (mapType: string) =>
    definitionWith({
      type: "object",
      [`${prefix}map-type`]: mapType,
      properties: { b: { type: "string", ...rules } },
    });
  const { crd } = at("1.28");
  expect(crd.create(map("granular")).errors).toEqual([]);
  expect(crd.create(map("atomic")).errors).toEqual([
    `spec.validation.openAPIV3Schema.properties[a].properties[b].${rulesField}[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[a]`,
  ]);
});

describe("what a rule has besides its expression", () => {
  const text = { type: "string" };
  const object = { type: "object", properties: { b: text, "it's": text, "b\\c": text } };
  const map = { type: "object", additionalProperties: { type: "string" } };

  test.each<[JsonObject, JsonObject, readonly string[]]>([
    [object, { fieldPath: ".b" }, []],
    [object, { fieldPath: "['it\\'s']" }, []],
    [object, { fieldPath: "['b\\c']" }, []],
    [object, { fieldPath: "['b\\\\c']" }, []],
    [map, { fieldPath: ".b" }, []],
    [map, { fieldPath: "['a.b']" }, []],
    [object, { fieldPath: ".c" }, ['fieldPath: Invalid value: ".c": fieldPath must be a valid path']],
    [object, { fieldPath: "b" }, ['fieldPath: Invalid value: "b": fieldPath must be a valid path']],
    [object, { fieldPath: ".b[0]" }, ['fieldPath: Invalid value: ".b[0]": fieldPath must be a valid path']],
    [
      object,
      { fieldPath: " " },
      [
        'fieldPath: Invalid value: " ": fieldPath must be non-empty if specified',
        'fieldPath: Invalid value: " ": fieldPath must be a valid path',
      ],
    ],
    [
      object,
      { reason: "Because" },
      [
        'reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    [
      object,
      { messageExpression: " " },
      ["messageExpression: Required value: messageExpression must be non-empty if specified"],
    ],
    [object, { message: "a\nb" }, ['message: Invalid value: "a\\nb": message must not contain line breaks']],
  ])("%j with %j", (schema, rule, expected) => {
    const ruled = { ...schema, [rulesField]: [{ rule: "true", ...rule }] };
    const path = `spec.validation.openAPIV3Schema.properties[a].${rulesField}[0]`;
    const { errors } = at("1.28").crd.create(definitionWith(ruled));
    expect(errors).toEqual(expected.map((text) => `${path}.${text}`));
  });
});

test("the words of versions that may still be stored", () => {
  const old = definitionWith({ type: "string" });
  const renamed = changed(old, "spec.versions.0.name", "v2");
  const errorsAt = (minor: number) =>
    withErrorTextsOf(minor, () => at("1.28").crd.update(renamed, old).errors);
  const path = 'status.storedVersions[0]: Invalid value: "v1":';
  expect(errorsAt(32)).toEqual([`${path} must appear in spec.versions`]);
  expect(errorsAt(33)).toEqual([
    `${path} missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions`,
  ]);
});

test("a version that is there twice is missing from those that are stored", () => {
  const { crd } = at("1.36");
  const { spec, ...definition } = definitionWith({ type: "string" });
  const [version] = (spec as { versions: JsonObject[] }).versions;
  const twice = { ...definition, spec: { ...(spec as JsonObject), versions: [version, version] } };
  const { errors } = withErrorTextsOf(36, () => crd.create(twice as JsonObject));
  expect(errors).toContain('status.storedVersions: Invalid value: ["v1"]: must have the storage version v1');
});

const root = "spec.validation.openAPIV3Schema";

test("rules of a schema are compiled only where it has no errors, and no bad defaults anywhere", () => {
  const broken = { [rulesField]: [{ rule: "nothing" }] };
  const { crd } = at("1.36");
  const errors = (fields: JsonObject): readonly string[] =>
    crd.create(definitionWith({ type: "object", ...fields })).errors;
  const refused = expect.stringContaining("compilation failed");
  const badType = expect.stringContaining("must be array if");
  const b = { type: "string", [`${prefix}list-type`]: "set" };
  const c = { type: "string", ...broken };
  expect(errors({ properties: { c }, ...broken })).toEqual([refused, refused]);
  expect(errors({ properties: { b, c }, ...broken })).toEqual([badType, refused]);
  expect(errors({ properties: { b: { type: "string", default: 1 }, c } })).toEqual([
    `${root}.properties[a].properties[b].default: Invalid value: "integer":  in body must be of type string: "integer"`,
  ]);
});

test("a default must be able to replace itself, and from 1.30 to be new", () => {
  const b = (rule: JsonObject) =>
    definitionWith({
      type: "object",
      properties: { b: { type: "string", default: "x", [rulesField]: [rule] } },
    });
  const failed = (rule: string): string[] => [
    `${root}.properties[a].properties[b].default: Invalid value: "string": failed rule: ${rule}`,
  ];
  const isSame = "self == oldSelf";
  const isOther = "self != oldSelf";
  const isKnown = "oldSelf.hasValue()";
  expect(at("1.29").crd.create(b({ rule: isSame })).errors).toEqual([]);
  expect(at("1.29").crd.create(b({ rule: isOther })).errors).toEqual(failed(isOther));
  expect(at("1.30").crd.create(b({ rule: isSame })).errors).toEqual([]);
  expect(at("1.30").crd.create(b({ rule: isKnown, optionalOldSelf: true })).errors).toEqual(failed(isKnown));
});

test("values may be restricted to listed fields since 1.31, without an effect on the structure", () => {
  const schema = definitionWith({ type: "object", anyOf: [{ additionalProperties: false }] });
  const errorsAt = (minor: number) => withErrorTextsOf(minor, () => at("1.36").crd.create(schema).errors);
  expect(errorsAt(30)).toEqual([
    `${root}.properties[a].anyOf[0].additionalProperties: Forbidden: must be undefined to be structural`,
  ]);
  expect(errorsAt(31)).toEqual([]);
});

test("a bad schema is shown with the fields that rules have at the level", () => {
  const rules = { [rulesField]: [{ rule: "true" }], type: "string" };
  const definition = changed(definitionWith(rules), "spec.versions.0.subresources", { status: {} });
  const strange = changed(definition, "spec.versions.0.schema.openAPIV3Schema.maxProperties", 1);
  const [error] = withErrorTextsOf(36, () => at("1.36").crd.create(strange).errors);
  expect(error).toContain('"MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}]');
});

test.each([
  [24, "x-preserve-unknown-fields"],
  [25, `${prefix}preserve-unknown-fields`],
])("1.%i: unknown fields are preserved by %s", (minor, field) => {
  const definition = changed(definitionWith({ type: "string" }), "spec.preserveUnknownFields", true);
  expect(withErrorTextsOf(minor, () => at("1.25").crd.create(definition).errors)).toEqual([
    `spec.preserveUnknownFields: Invalid value: true: cannot set to true, set ${field} to true in spec.versions[*].schema instead`,
  ]);
});
