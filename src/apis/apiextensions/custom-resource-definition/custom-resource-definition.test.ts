import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { customResourceDefinitions } from "./resource.js";

const context = testApiContext({ level: "1.31" });
const { naming } = context;
const x = (name: string): string => `${naming.extensionPrefix}${name}`;
const crd = kindUnderTest(customResourceDefinitions(context));

const schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
};
const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
const json: JsonObject = {
  metadata: { name: "boats.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "boats", kind: "Boat" },
    versions: [version],
  },
};

/** A definition with one version that has this schema. */
function withSchema(openAPIV3Schema: JsonValue): JsonObject {
  return changed(json, "spec.versions.0.schema", { openAPIV3Schema });
}

/** A definition with this schema for `spec.size`. */
function withProperty(property: JsonValue): JsonObject {
  return changed(json, "spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.size", property);
}

const root = "spec.validation.openAPIV3Schema";
const property = `${root}.properties[spec].properties[size]`;

test("names follow from the kind, and objects are of the storage version", () => {
  const { object, errors } = crd.create(json);
  expect(errors).toEqual([]);
  expect(object.spec.names).toMatchObject({ singular: "boat", listKind: "BoatList" });
  expect(object.spec.conversion).toEqual({ strategy: "None" });
  expect(object.status).toEqual({ acceptedNames: { plural: "", kind: "" }, storedVersions: ["v1"] });
  expect(object.metadata.generation).toBe(1);
});

test("versions that were stored are remembered", () => {
  const two = changed(json, "spec.versions", [
    { ...version, storage: false },
    { ...version, name: "v2" },
  ]);
  const old = {
    ...json,
    status: { acceptedNames: { plural: "boats", kind: "Boat" }, storedVersions: ["v1"] },
  };
  const { object, errors } = crd.update(two, old);
  expect(errors).toEqual([]);
  expect(object.status.storedVersions).toEqual(["v1", "v2"]);
  expect(object.metadata.generation).toBe(1);
  expect(crd.update(changed(json, "spec.versions.0.name", "v3"), old).errors).toEqual([
    'status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions',
  ]);
});

describe("spec", () => {
  test.each([
    [
      "metadata.name",
      "ships.example.com",
      ['metadata.name: Invalid value: "ships.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      "metadata.generateName",
      "ships",
      ['metadata.generateName: Invalid value: "ships": must be spec.names.plural+"."+spec.group'],
    ],
    [
      "spec.versions",
      [],
      [
        "spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion{}: must have exactly one version marked as storage version",
        "status.storedVersions: Invalid value: []string(nil): must have at least one stored version",
      ],
    ],
    [
      "spec.versions.0.schema.openAPIV3Schema.properties.spec.dependencies",
      {},
      [`${root}.properties[spec].dependencies: Forbidden: dependencies is not supported`],
    ],
    ...[null, [], ["a"], 5].map((dependency): [string, JsonObject, string[]] => [
      "spec.versions.0.schema.openAPIV3Schema.properties.spec.dependencies",
      { a: dependency },
      [`${root}.properties[spec].dependencies: Forbidden: dependencies is not supported`],
    ]),
    [
      "spec.group",
      "",
      [
        'metadata.name: Invalid value: "boats.example.com": must be spec.names.plural+"."+spec.group',
        "spec.group: Required value",
      ],
    ],
    [
      "spec.scope",
      "Galaxy",
      ['spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'],
    ],
    ["spec.scope", "", ["spec.scope: Required value"]],
    [
      "spec.names.kind",
      "Bo at",
      [
        expect.stringMatching(/^spec\.names\.singular: Invalid value: "bo at": a DNS-1035 label/),
        expect.stringMatching(
          /^spec\.names\.kind: Invalid value: "Bo at": may have mixed case, but should otherwise match: a DNS-1035 label/,
        ),
        expect.stringMatching(/^spec\.names\.listKind: Invalid value: "Bo atList": /),
      ],
    ],
    [
      "spec.names.listKind",
      "Boat",
      ['spec.names.listKind: Invalid value: "Boat": kind and listKind may not be the same'],
    ],
    [
      "spec.names.shortNames",
      ["B"],
      [expect.stringMatching(/^spec\.names\.shortNames\[0\]: Invalid value: "B": a DNS-1035 label/)],
    ],
    [
      "spec.versions.0.storage",
      false,
      [
        expect.stringMatching(
          /^spec\.versions: Invalid value: .*: must have exactly one version marked as storage version$/,
        ),
        "status.storedVersions: Invalid value: []string(nil): must have at least one stored version",
      ],
    ],
    [
      "spec.versions.0.schema",
      undefined,
      ["spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required"],
    ],
    [
      "spec.versions.0.deprecationWarning",
      "old",
      ['spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions'],
    ],
    [
      "spec.preserveUnknownFields",
      true,
      [
        "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ],
    ],
    [
      "spec.conversion",
      { strategy: "Magic" },
      ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
    ],
    [
      "spec.conversion",
      { strategy: "Webhook" },
      [
        "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
        "spec.conversion.conversionReviewVersions: Required value",
      ],
    ],
    [
      "spec.conversion",
      { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } },
      [
        "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
      ],
    ],
    [
      "spec.conversion",
      {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "https://example.com" }, conversionReviewVersions: ["v9"] },
      },
      [
        'spec.conversion.conversionReviewVersions: Invalid value: []string{"v9"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      "spec.conversion",
      {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "https://a b" }, conversionReviewVersions: ["v1"] },
      },
      [
        'spec.conversion.webhookClientConfig.url: Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name; desired format: https://host[/path]',
      ],
    ],
    [
      "spec.versions.0.additionalPrinterColumns",
      [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
      [],
    ],
    [
      "spec.versions.0.additionalPrinterColumns",
      [{ name: "", type: "int", jsonPath: "spec" }],
      [
        "spec.additionalPrinterColumns[0].name: Required value",
        'spec.additionalPrinterColumns[0].type: Invalid value: "int": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
      ],
    ],
    [
      "spec.versions.0.subresources",
      { scale: { specReplicasPath: ".status.n", statusReplicasPath: "", labelSelectorPath: ".x" } },
      [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".status.n": should be a json path under .spec',
        "spec.subresources.scale.statusReplicasPath: Required value",
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".x": should be a json path under either .spec or .status',
      ],
    ],
    ["spec.versions.0.selectableFields", [{ jsonPath: ".spec.size" }], []],
    [
      "spec.versions.0.selectableFields",
      [{ jsonPath: ".spec.toString" }],
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.toString": is an invalid path: does not refer to a valid field',
      ],
    ],
    [
      "spec.versions.0.selectableFields",
      [".spec", "", "spec.size", ".spec.sizes", ".spec.size[0]", ".spec.", ".metadata", ".spec.size.x"].map(
        (jsonPath) => ({ jsonPath }),
      ),
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        "spec.selectableFields[1].jsonPath: Required value",
        'spec.selectableFields[2].jsonPath: Invalid value: "spec.size": is an invalid path: expected [ or . but got: spec',
        'spec.selectableFields[3].jsonPath: Invalid value: ".spec.sizes": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[4].jsonPath: Invalid value: ".spec.size[0]": is an invalid path: array notation is not allowed',
        'spec.selectableFields[5].jsonPath: Invalid value: ".spec.": is an invalid path: unexpected end of JSON path',
        'spec.selectableFields[6].jsonPath: Invalid value: ".metadata": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[7].jsonPath: Invalid value: ".spec.size.x": is an invalid path: does not refer to a valid field',
      ],
    ],
    [
      "spec.versions.0.selectableFields",
      [{ jsonPath: ".spec.size" }, { jsonPath: ".spec.size" }],
      ['spec.selectableFields[1].jsonPath: Duplicate value: ".spec.size"'],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(crd.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("eight fields of a schema may be selectable, and none of metadata", () => {
    const names = Array.from({ length: 9 }, (_, at) => `field${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const metadata = { type: "object", properties: { name: { type: "string" } } };
    const wide = { type: "object", properties: { metadata, ...properties } };
    const select = (...paths: readonly string[]) =>
      crd.create(
        changed(withSchema(wide), "spec.versions.0.selectableFields", [
          ...paths.map((jsonPath) => ({ jsonPath })),
        ]),
      ).errors;
    const paths = names.map((name) => `.${name}`);
    expect(select(...paths.slice(0, 8))).toEqual([]);
    expect(select(...paths)).toEqual(["spec.selectableFields: Too many: 9: must have at most 8 items"]);
    expect(select(".metadata.name")).toEqual([
      'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
    ]);
  });

  test("versions share both schema and selectable fields, or neither", () => {
    const other = { openAPIV3Schema: { type: "object", properties: { colour: { type: "string" } } } };
    const errors = (schema: JsonValue, own: string, others: string): readonly string[] => {
      const versions = [
        { ...version, selectableFields: [{ jsonPath: own }] },
        { ...version, name: "v2", storage: false, schema, selectableFields: [{ jsonPath: others }] },
      ];
      return crd.create(changed(json, "spec.versions", versions)).errors;
    };
    expect(errors(other, ".spec.size", ".colour")).toEqual([]);
    expect(errors(other, ".spec.size", ".size")).toEqual([
      'spec.versions[1].selectableFields[0].jsonPath: Invalid value: ".size": is an invalid path: does not refer to a valid field',
    ]);
    expect(errors(other, ".spec.size", ".spec.size")).toEqual([
      'spec.selectableFields: Invalid value: "": selectableFields may only be set when validations.schema is included',
    ]);
    const versionWide =
      'Invalid value: "": selectableFields may only be set when version.schema.openAPIV3Schema is not included';
    expect(errors(version.schema, ".spec.size", ".spec.sails")).toEqual([
      `spec.versions[0].selectableFields: ${versionWide}`,
      `spec.versions[1].selectableFields: ${versionWide}`,
    ]);
  });

  test("an established definition keeps its scope and kind; the others' names always stay", () => {
    const old = {
      ...json,
      status: {
        acceptedNames: { plural: "boats", kind: "Boat" },
        storedVersions: ["v1"],
        conditions: [{ type: "Established", status: "True" }],
      },
    };
    expect(crd.update(changed(json, "spec.scope", "Cluster"), old).errors).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
    expect(crd.update(changed(json, "spec.scope", "Cluster"), json).errors).toEqual([]);
    expect(crd.update(changed(json, "spec.names.plural", "ships"), json).errors).toEqual([
      'spec.names.plural: Invalid value: "ships": field is immutable',
    ]);
  });

  test("the project's own groups need approval", () => {
    const group = `x.${naming.groupDomain}`;
    const annotation = `api-approved.${naming.domain}`;
    const own = changed(changed(json, "spec.group", group), "metadata.name", `boats.${group}`);
    const approved = (value: string): JsonObject =>
      changed(own, "metadata.annotations", { [annotation]: value });
    expect(crd.create(own).errors).toEqual([
      expect.stringMatching(
        /^metadata\.annotations\[.*\]: Required value: protected groups must have approval annotation/,
      ),
    ]);
    expect(crd.create(approved("soon")).errors).toEqual([
      expect.stringMatching(
        /: Invalid value: "soon": protected groups must have approval annotation .* with either a URL or a reason starting with "unapproved"/,
      ),
    ]);
    expect(crd.create(approved("https://example .com/")).errors).toHaveLength(1);
    expect(crd.create(approved("https://example.com/pull/1")).errors).toEqual([]);
    expect(crd.create(approved("unapproved, a test")).errors).toEqual([]);
    expect(crd.update(own, own).errors).toEqual([]);
    expect(crd.update(own, approved("https://example.com/pull/1")).errors).toHaveLength(1);
  });
});

describe("schema", () => {
  test("what differs between versions is reported there", () => {
    const bad = {
      ...version,
      name: "v2",
      storage: false,
      schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } },
    };
    expect(crd.create(changed(json, "spec.versions", [version, bad])).errors).toEqual([
      "spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields",
    ]);
  });

  test("the structure is checked before the rest since 1.25", () => {
    const errorsAt = (level: ApiLevel): readonly string[] => {
      const later = kindUnderTest(customResourceDefinitions(testApiContext({ level })));
      return later.create(withSchema({ type: "other" })).errors;
    };
    const [structure, rest] = [
      `${root}.type: Invalid value: "other": must be object at the root`,
      expect.stringContaining(`${root}.type: Unsupported value: "other"`),
    ];
    expect(errorsAt("1.24")).toEqual([rest, structure]);
    expect(errorsAt("1.25")).toEqual([structure, rest]);
  });

  test.each([
    ["no type", {}, [`${root}.type: Required value: must not be empty at the root`]],
    [
      "another type",
      { type: "array", items: { type: "string" } },
      [`${root}.type: Invalid value: "array": must be object at the root`],
    ],
    [
      "nullable",
      { type: "object", nullable: true },
      [`${root}.nullable: Forbidden: nullable cannot be true at the root`],
    ],
    [
      "additional properties",
      { type: "object", additionalProperties: { type: "string" } },
      [`${root}.additionalProperties: Forbidden: must not be used at the root`],
    ],
    [
      "restricted names",
      {
        type: "object",
        properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } } },
      },
      [],
    ],
    [
      "restricted labels",
      {
        type: "object",
        properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
      },
      [
        `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
      ],
    ],
    [
      "kind of another type",
      { type: "object", properties: { kind: { type: "integer" } } },
      [`${root}.properties[kind].type: Invalid value: "integer": must be string`],
    ],
    [
      "a default in metadata",
      { type: "object", properties: { kind: { type: "string", default: "X" } } },
      [`${root}.properties[kind].default: Forbidden: must not be set in top-level kind`],
    ],
    [
      "a restriction of what is not there",
      { type: "object", oneOf: [{ properties: { a: { items: { minimum: 1 } } } }] },
      [`${root}.properties[a]: Required value: because it is defined in ${root}.oneOf[0].properties[a]`],
    ],
    [
      "a restriction of items that are not there",
      {
        type: "object",
        properties: { a: { type: "object" } },
        allOf: [{ properties: { a: { items: {} } } }],
      },
      [
        `${root}.properties[a].items: Required value: because it is defined in ${root}.allOf[0].properties[a].items`,
      ],
    ],
  ])("root with %s", (_what, openAPIV3Schema, errors) => {
    expect(crd.create(withSchema(openAPIV3Schema)).errors).toEqual(errors);
  });

  test.each([
    [{ type: "string", pattern: "^a+$" }, []],
    [
      { type: "string", pattern: "(" },
      [
        `${property}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
      ],
    ],
    [
      { type: "text" },
      [
        `${property}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    ],
    [
      { type: "null" },
      [
        expect.stringMatching(/\.type: Unsupported value: "null"/),
        `${property}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      ],
    ],
    [{ type: "object", $ref: "#/x" }, [`${property}.$ref: Forbidden: $ref is not supported`]],
    [{ type: "object", default: { a: 1 }, properties: { a: { type: "integer" } } }, []],
    [
      { type: "object", default: { a: "x" }, properties: { a: { type: "integer" } } },
      [`${property}.default.a: Invalid value: "string": a in body must be of type integer: "string"`],
    ],
    [
      { type: "string", default: "x", maxLength: 0 },
      [`${property}.default: Invalid value: "x":  in body should be at most 0 chars long`],
    ],
    [
      { type: "array", items: { type: "string" }, default: ["a", 1] },
      [`${property}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
    ],
    [
      { type: "string", anyOf: [{ type: "null" }] },
      [
        `${property}.anyOf[0].type: Forbidden: must be empty to be structural`,
        `${property}.anyOf[0].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
        `${property}.anyOf[0].type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      ],
    ],
    [
      { type: "string", $schema: "x" },
      [`${root}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
    ],
    [
      { type: "string", pattern: "\\" },
      [
        `${property}.pattern: Invalid value: "\\\\": must be a valid regular expression, but isn't: error parsing regexp: trailing backslash at end of expression: \`\``,
      ],
    ],
    [
      { type: "object", default: { a: 1, b: ["x", null] }, properties: { a: { type: "integer" } } },
      [
        `${property}.default: Invalid value: map[string]interface {}{"a":1, "b":[]interface {}{"x", interface {}(nil)}}: must not have unknown fields`,
      ],
    ],
    [{ type: "array" }, [`${property}.items: Required value: must be specified`]],
    [
      { type: "array", items: {} },
      [`${property}.items.type: Required value: must not be empty for specified array items`],
    ],
    [
      { type: "array", items: { type: "string" }, uniqueItems: true },
      [
        `${property}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    ],
    [
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
      [
        `${property}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
      ],
    ],
    [{ anyOf: [{ type: "integer" }, { type: "string" }], [x("int-or-string")]: true }, []],
    [{ type: "integer", anyOf: [{ minimum: 1 }, { maximum: -1 }] }, []],
    [
      { type: "integer", allOf: [{ type: "integer", title: "t" }] },
      [
        `${property}.allOf[0].title: Forbidden: must be empty to be structural`,
        `${property}.allOf[0].type: Forbidden: must be empty to be structural`,
      ],
    ],
    // Only restrictions at the root must be part of the structure.
    [{ type: "object", oneOf: [{ properties: { a: { minimum: 1 } } }] }, []],
    [
      { type: "object", not: { properties: { metadata: {} } }, properties: { metadata: { type: "object" } } },
      [`${property}.not.properties[metadata]: Forbidden: must not be specified in a nested context`],
    ],
    [
      { type: "object", [x("embedded-resource")]: true },
      [
        `${property}.properties: Required value: must not be empty if ${x("embedded-resource")} is true without ${x("preserve-unknown-fields")}`,
      ],
    ],
    [{ [x("preserve-unknown-fields")]: true }, []],
    [
      { type: "object", [x("preserve-unknown-fields")]: false },
      [`${property}.${x("preserve-unknown-fields")}: Invalid value: false: must be true or undefined`],
    ],
    [
      { type: "string", [x("map-type")]: "atomic" },
      [`${property}.type: Invalid value: "string": must be object if ${x("map-type")} is specified`],
    ],
    [
      { type: "object", [x("map-type")]: "loose" },
      [`${property}.${x("map-type")}: Unsupported value: "loose": supported values: "atomic", "granular"`],
    ],
    [
      { type: "object", [x("list-type")]: "set" },
      [`${property}.type: Invalid value: "object": must be array if ${x("list-type")} is specified`],
    ],
    [
      { type: "array", items: { type: "object" }, [x("list-type")]: "set" },
      [
        `${property}.items.${x("map-type")}: Invalid value: "null": must be atomic as item of a list with ${x("list-type")}=set`,
      ],
    ],
    [
      { type: "array", items: { type: "string", nullable: true }, [x("list-type")]: "set" },
      [`${property}.items.nullable: Forbidden: cannot be nullable when ${x("list-type")} is set`],
    ],
    [
      {
        type: "array",
        items: { type: "object", properties: { k: { type: "string" } } },
        [x("list-type")]: "map",
        [x("list-map-keys")]: ["k"],
      },
      [
        `${property}.items.properties[k].default: Required value: this property is in ${x("list-map-keys")}, so it must have a default or be a required property`,
      ],
    ],
    [
      {
        type: "array",
        items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
        [x("list-type")]: "map",
        [x("list-map-keys")]: ["k"],
      },
      [],
    ],
    [
      { type: "array", items: { type: "object" }, [x("list-type")]: "map", [x("list-map-keys")]: ["k"] },
      [
        `${property}.${x("list-map-keys")}: Invalid value: []string{"k"}: entries must all be names of item properties`,
      ],
    ],
    [
      { type: "array", items: { type: "string" }, [x("list-map-keys")]: ["k"] },
      [`${property}.${x("list-type")}: Required value: must be map if ${x("list-map-keys")} is non-empty`],
    ],
    [
      { type: "string", [x("validations")]: [{ rule: " " }] },
      [`${property}.${x("validations")}[0].rule: Required value: rule is not specified`],
    ],
    [
      { type: "string", default: "a", [x("validations")]: [{ rule: " " }] },
      [`${property}.${x("validations")}[0].rule: Required value: rule is not specified`],
    ],
  ])("of a property: %j", (propertySchema, errors) => {
    expect(crd.create(withProperty(propertySchema)).errors).toEqual(errors);
  });

  test("with a status subresource the root says little", () => {
    const withStatus = (openAPIV3Schema: JsonValue): JsonObject =>
      changed(withSchema(openAPIV3Schema), "spec.versions.0.subresources", { status: {} });
    expect(crd.create(withStatus({ ...schema, description: "d", required: ["spec"] })).errors).toEqual([]);
    expect(crd.create(withStatus({ ...schema, maxProperties: 3 })).errors).toEqual([
      expect.stringMatching(
        /: only \[Description Type Format .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
      ),
    ]);
  });

  test("definitions from before the rules may go on", () => {
    const old = changed(
      changed(json, "spec.preserveUnknownFields", true),
      "spec.versions.0.schema",
      undefined,
    );
    expect(crd.update(old, old).errors).toEqual([]);
    const loose = changed(withProperty({ type: "text" }), "spec.preserveUnknownFields", true);
    expect(crd.update(loose, loose).errors).toEqual([]);
  });

  const ruled = (schema: JsonObject, ...rules: readonly JsonObject[]) =>
    withProperty({ ...schema, [x("validations")]: rules });

  test.each([
    [
      "of another type",
      [{ rule: "self" }],
      /rule: Invalid value: .*: cel expression must evaluate to a bool/,
    ],
    [
      "that compares what cannot be",
      [{ rule: "self > 'a'" }],
      /ERROR: <input>:1:6: found no matching overload for '_>_' applied to '\(int, string\)'/,
    ],
    [
      "with a message of another type",
      [{ rule: "self > 0", messageExpression: "self" }],
      /messageExpression: Invalid value: "self": messageExpression must evaluate to a string/,
    ],
    [
      "with an unknown reason",
      [{ rule: "self > 0", reason: "Because" }],
      /reason: Unsupported value: "Because"/,
    ],
    [
      "with an unknown field",
      [{ rule: "self > 0", fieldPath: ".none" }],
      /fieldPath: Invalid value: ".none": fieldPath must be a valid path/,
    ],
  ])("a rule %s is refused", (_name, rules, problem) => {
    const { errors } = crd.create(ruled({ type: "integer" }, ...rules));
    expect(errors).toEqual([expect.stringMatching(problem)]);
    expect(errors[0]).toContain(`${naming.extensionPrefix}validations[0].`);
  });

  test("rules whose estimated cost is too high are refused, and those within declared sizes are not", () => {
    const list = { type: "array", items: { type: "string", maxLength: 20 } };
    const rule = { rule: "self.all(a, self.all(b, a == b))" };
    expect(crd.create(ruled(list, rule)).errors).toEqual([
      expect.stringMatching(
        /rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x/,
      ),
      expect.stringContaining("contributed to estimated rule cost total"),
      expect.stringMatching(/estimated rule cost total for entire OpenAPIv3 schema exceeds budget/),
    ]);
    expect(crd.create(ruled({ ...list, maxItems: 50 }, rule)).errors).toEqual([]);
    const inner = { ...list, items: { type: "integer", [x("validations")]: [{ rule: "self == oldSelf" }] } };
    expect(crd.create(withProperty(inner)).errors).toEqual([
      expect.stringContaining("oldSelf cannot be used on the uncorrelatable portion of the schema within"),
    ]);
    const unused = { type: "integer", [x("validations")]: [{ rule: "self > 0", optionalOldSelf: true }] };
    expect(crd.create(withProperty(unused)).errors).toEqual([
      `${property}.${x("validations")}[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ]);
  });

  test("expressions go while their gate is off, unless there were some", () => {
    const gated = kindUnderTest(
      customResourceDefinitions(testApiContext({ gates: { CustomResourceValidationExpressions: false } })),
    );
    const withRule = withProperty({ type: "integer", [x("validations")]: [{ rule: "self > 0" }] });
    const rulesOf = (object: ReturnType<typeof gated.decode>): unknown =>
      object.spec.versions?.[0]?.schema?.openAPIV3Schema?.properties?.spec?.properties?.size?.[
        `x-${naming.extensionPrefix.slice(2)}validations`
      ];
    expect(rulesOf(gated.create(withRule).object)).toBeUndefined();
    expect(rulesOf(gated.update(withRule, json).object)).toBeUndefined();
    expect(rulesOf(gated.update(withRule, withRule).object)).toEqual([{ rule: "self > 0" }]);
  });
});

test("the status part changes the status only", () => {
  const next = {
    ...changed(json, "spec.scope", "Cluster"),
    status: { acceptedNames: { plural: "Boats", kind: "Boat" }, storedVersions: ["v1"] },
  };
  const { object, errors } = crd.update(next, json, "status");
  expect(object.spec.scope).toBe("Namespaced");
  expect(errors).toEqual([
    expect.stringMatching(/^status\.acceptedNames\.plural: Invalid value: "Boats": a DNS-1035 label/),
  ]);
});

describe("defaults of embedded objects, as kube-apiserver 1.23 answers", () => {
  const embedded = { type: "object", [x("embedded-resource")]: true, [x("preserve-unknown-fields")]: true };
  const withMeta = (metadata: JsonObject): JsonValue => ({ ...embedded, properties: { metadata } });
  const label =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const cases: readonly (readonly [string, JsonValue, readonly string[]])[] = [
    [
      "no type",
      { ...embedded, default: {} },
      [
        `${property}.default.apiVersion: Required value: must not be empty`,
        `${property}.default.kind: Required value: must not be empty`,
      ],
    ],
    [
      "good metadata, and a field that metadata does not have",
      { ...embedded, default: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", nmae: "b" } } },
      [],
    ],
    [
      "a type that is no text",
      { ...embedded, default: { apiVersion: 1, kind: "" } },
      [`${property}.default.apiVersion: Invalid value: 1: must be a string`],
    ],
    [
      "an empty type",
      { ...embedded, default: { apiVersion: "", kind: "" } },
      [
        `${property}.default.apiVersion: Invalid value: "": must not be empty`,
        `${property}.default.kind: Invalid value: "": must not be empty`,
      ],
    ],
    [
      "metadata of the wrong type",
      { ...embedded, default: { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: 1 } } } },
      [
        `${property}.default.metadata: Invalid value: map[string]interface {}{"labels":map[string]interface {}{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`,
      ],
    ],
    [
      "objects in a list",
      { type: "array", items: embedded, default: [{ kind: "Pod" }] },
      [`${property}.default[0].apiVersion: Required value: must not be empty`],
    ],
    [
      "objects in a map",
      { type: "object", additionalProperties: embedded, default: { a: { kind: "Pod" } } },
      [`${property}.default[a].apiVersion: Required value: must not be empty`],
    ],
    [
      "of the type alone",
      { ...embedded, properties: { kind: { type: "string", default: "" } } },
      [
        `${property}.properties[kind].default: Invalid value: "": must result in valid metadata: kind: Invalid value: "": must not be empty`,
      ],
    ],
    ["of a good type", { ...embedded, properties: { kind: { type: "string", default: "Pod" } } }, []],
    [
      "of the name alone",
      withMeta({ type: "object", properties: { name: { type: "string", default: "a/b" } } }),
      [
        `${property}.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
      ],
    ],
    [
      "of a good name that breaks its own schema",
      withMeta({ type: "object", properties: { name: { type: "string", default: "long", maxLength: 3 } } }),
      [
        `${property}.properties[metadata].properties[name].default: Invalid value: "long":  in body should be at most 3 chars long`,
      ],
    ],
    [
      "of several parts of metadata",
      withMeta({ type: "object", default: { name: "a/b", labels: { "x y": "z" } } }),
      [
        `${property}.properties[metadata].default: Invalid value: map[string]interface {}{"labels":map[string]interface {}{"x y":"z"}, "name":"a/b"}: must result in valid metadata: [metadata.name: Invalid value: "a/b": may not contain '/', metadata.labels: Invalid value: "x y": ${label}]`,
      ],
    ],
    [
      "of items within metadata",
      withMeta({
        type: "object",
        properties: { finalizers: { type: "array", items: { type: "string", default: "a b" } } },
      }),
      [
        `${property}.properties[metadata].properties[finalizers].items.default: Invalid value: "a b": must result in valid metadata: metadata.finalizers: Invalid value: "a b": ${label}`,
      ],
    ],
    [
      "unknown fields do not hide other errors",
      { type: "object", default: { a: 1, b: 2 }, properties: { a: { type: "string" } } },
      [
        `${property}.default: Invalid value: map[string]interface {}{"a":1, "b":2}: must not have unknown fields`,
        `${property}.default.a: Invalid value: "integer": a in body must be of type string: "integer"`,
      ],
    ],
  ];
  test.each(cases)("%s", (_what, schema, errors) => {
    expect(crd.create(withProperty(schema)).errors).toEqual(errors);
  });

  test("the root is an object too", () => {
    expect(crd.create(withSchema({ type: "object", default: {} })).errors).toEqual([
      `${root}.default.apiVersion: Required value: must not be empty`,
      `${root}.default.kind: Required value: must not be empty`,
    ]);
  });
});

describe("patterns that take too long to compile", () => {
  const large = (text: string): string => expect.stringContaining(text);
  test.each([
    ["repeated", "((a{30}|b){30}c){30}"],
    ["long", "a|b".repeat(100_000)],
    ["nested", "(".repeat(50_000)],
  ])("%s", (_what, pattern) => {
    expect(crd.create(withProperty({ type: "string", pattern })).errors).toEqual([
      large("must be a valid regular expression, but isn't: error parsing regexp: expression too large"),
    ]);
  });

  test("all of a definition together", () => {
    // Those that are not too large have another error, so that none is compiled.
    const pattern = (i: number): string => `a{990}b{990}c{990}d{990}(${i}`;
    const properties = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`a${i}`, { type: "string", pattern: pattern(i) }]),
    );
    const { errors } = crd.create(withProperty({ type: "object", properties }));
    expect(errors.filter((error) => error.includes("missing closing )"))).toHaveLength(504);
    expect(errors.filter((error) => error.includes("expressions of the definition too large"))).toHaveLength(
      96,
    );
  });
});
