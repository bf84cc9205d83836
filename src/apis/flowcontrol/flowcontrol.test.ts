import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, apiLevels, minorOf } from "../../apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { definitionAtLevel } from "../definition/definition-at-level.js";
import { testApiContext } from "../testing/api-context.js";
import { changed, errorTexts, kindUnderTest } from "../testing/kind-under-test.js";
import { typePackages } from "../type-packages.js";
import { validateConditions } from "./conditions.js";
import { flowSchemas } from "./flow-schema/resource.js";
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from "./mandatory.js";
import { priorityLevelConfigurations } from "./priority-level-configuration/resource.js";

const context = testApiContext();
const schema = kindUnderTest(flowSchemas(context), "1.23");
const level = kindUnderTest(priorityLevelConfigurations(context), "1.23");
/** At the first level at which the versions before v1 have every field. */
const laterLevel = kindUnderTest(priorityLevelConfigurations(testApiContext({ level: "1.28" })));

const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["ns"] };
const schemaJson = {
  metadata: { name: "s" },
  spec: {
    priorityLevelConfiguration: { name: "high" },
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: [{ kind: "User", user: { name: "jane" } }], resourceRules: [resourceRule] }],
  },
};

test.each<[ApiLevel, ...string[]]>([
  ["1.33", "Required value: must not be empty"],
  ["1.34", "Required value"],
])("in the words of %s, the type of a condition that is absent is: %s", (words, problem = "") => {
  const found = withErrorTextsOf(minorOf(words), () => validateConditions([{}]));
  expect(errorTexts(found)).toEqual([`status.conditions[0].type: ${problem}`]);
});

test.each<[ApiLevel, ...string[]]>([
  ["1.33", "Exempt", "Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt'"],
  ["1.34", "Exempt", "Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
  ["1.35", "", 'Unsupported value: "": supported values: "Exempt", "Limited"'],
  ["1.36", "", "Required value"],
])("in the words of %s, type %j of a priority level is: %s", (words, type = "", problem = "") => {
  const found = withErrorTextsOf(
    minorOf(words),
    () => level.create({ metadata: { name: "l" }, spec: { type } }).errors,
  );
  expect(found).toEqual([`spec.type: ${problem}`]);
});

test.each<[ApiLevel, ...string[]]>([
  ["1.35", 'Unsupported value: "": supported values: "Queue", "Reject"'],
  ["1.36", "Required value"],
])("in the words of %s, the type of a response that is absent is: %s", (words, problem = "") => {
  const json = { metadata: { name: "l" }, spec: { type: "Limited", limited: {} } };
  const found = withErrorTextsOf(minorOf(words), () => level.create(json).errors);
  expect(found).toEqual([`spec.limited.limitResponse.type: ${problem}`]);
});

describe("flow schema", () => {
  test("comes late unless it says otherwise", () => {
    const { object, errors } = schema.create(schemaJson);
    expect(errors).toEqual([]);
    expect(object.spec.matchingPrecedence).toBe(1000);
    expect(object.metadata.generation).toBe(1);
  });

  test.each([
    [
      "spec.matchingPrecedence",
      1,
      [
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      ],
    ],
    [
      "spec.matchingPrecedence",
      10001,
      ["spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000"],
    ],
    ["spec.matchingPrecedence", -1, ["spec.matchingPrecedence: Invalid value: -1: must be a positive value"]],
    [
      "spec.distinguisherMethod.type",
      "ByMood",
      [
        'spec.distinguisherMethod.type: Unsupported value: flowcontrol.FlowDistinguisherMethod{Type:"ByMood"}: supported values: "ByNamespace", "ByUser"',
      ],
    ],
    [
      "spec.priorityLevelConfiguration.name",
      "",
      ["spec.priorityLevelConfiguration.name: Required value: must reference a priority level"],
    ],
    [
      "spec.rules.0.subjects",
      [],
      ["spec.rules[0].subjects: Required value: subjects must contain at least one value"],
    ],
    [
      "spec.rules.0.resourceRules",
      [],
      [
        "spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty",
      ],
    ],
    [
      "spec.rules.0.subjects.0",
      { kind: "Robot" },
      [
        'spec.rules[0].subjects[0].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"',
      ],
    ],
    [
      "spec.rules.0.subjects.0",
      { kind: "User" },
      ["spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'"],
    ],
    [
      "spec.rules.0.subjects.0.group",
      { name: "g" },
      ["spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'"],
    ],
    [
      "spec.rules.0.subjects.0",
      { kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "" } },
      [
        "spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account",
      ],
    ],
    [
      "spec.rules.0.resourceRules.0.verbs",
      [],
      ["spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value"],
    ],
    [
      "spec.rules.0.resourceRules.0.verbs",
      ["*", "get"],
      [
        `spec.rules[0].resourceRules[0].verbs: Invalid value: []string{"*", "get"}: if '*' is present, must not specify other verbs`,
      ],
    ],
    [
      "spec.rules.0.resourceRules.0.verbs",
      ["fly"],
      [
        'spec.rules[0].resourceRules[0].verbs: Unsupported value: []string{"fly"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      ],
    ],
    [
      "spec.rules.0.resourceRules.0.apiGroups",
      [],
      [
        "spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group",
      ],
    ],
    [
      "spec.rules.0.resourceRules.0.namespaces",
      [],
      [
        "spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace",
      ],
    ],
    ["spec.rules.0.resourceRules.0.namespaces", ["*"], []],
    [
      "spec.rules.0.resourceRules.0.namespaces",
      ["N"],
      [
        expect.stringMatching(
          /^spec\.rules\[0\]\.resourceRules\[0\]\.namespaces\[0\]: Invalid value: "N": each member of this list must be '\*' or a DNS-1123 label; /,
        ),
      ],
    ],
    ["spec.rules.0.nonResourceRules", [{ verbs: ["*"], nonResourceURLs: ["/", "/healthz", "/api/*"] }], []],
    [
      "spec.rules.0.nonResourceRules",
      [{ verbs: ["get"], nonResourceURLs: ["x", "/a b", "/a//b", "/*/a", ""] }],
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "x": must start with slash',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a b": must not contain white-space',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a//b": must not contain double slash',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/*/a": wildcard can only do suffix matching',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "": must not be empty',
      ],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(schema.create(changed(schemaJson, path, value)).errors).toEqual(errors);
  });

  test("the mandatory ones cannot be changed", () => {
    for (const [name, spec] of mandatoryFlowSchemas) {
      const json = { metadata: { name }, spec: JSON.parse(JSON.stringify(spec)) };
      expect(schema.create(json).errors).toEqual([]);
      expect(schema.create(changed(json, "spec.priorityLevelConfiguration.name", "other")).errors).toEqual([
        expect.stringMatching(
          new RegExp(`^spec: Invalid value: .*: spec of '${name}' must equal the fixed value$`),
        ),
      ]);
    }
  });

  test("its status part leaves metadata alone and names conditions once", () => {
    const condition = { type: "Dangling", status: "False" };
    const next = {
      ...schemaJson,
      metadata: { name: "s", labels: { a: "b" } },
      status: { conditions: [condition, condition, {}] },
    };
    const { object, errors } = schema.update(next, schemaJson, "status");
    expect(object.metadata.labels).toBeUndefined();
    expect(errors).toEqual([
      'status.conditions[1].type: Duplicate value: "Dangling"',
      "status.conditions[2].type: Required value: must not be empty",
    ]);
  });

  test("rows come in the order in which schemas are asked", () => {
    const { columns } = flowSchemas(context);
    const rows = [
      ["b", 5],
      ["z", 1],
      ["a", 5],
    ].map(([name, matchingPrecedence]) =>
      schema.decode({
        metadata: { name: String(name) },
        spec: { matchingPrecedence: Number(matchingPrecedence) },
      }),
    );
    rows.sort((a, b) => columns?.compare?.(a, b) ?? 0);
    expect(rows.map(({ metadata }) => metadata.name)).toEqual(["z", "a", "b"]);
    expect(schema.cells(schemaJson)).toEqual(["s", "high", 1000, "ByUser", "<unknown>", "?"]);
    expect(
      schema.cells({ ...schemaJson, status: { conditions: [{ type: "Dangling", status: "True" }] } })[5],
    ).toBe("True");
  });
});

describe("priority level", () => {
  const json = {
    metadata: { name: "high" },
    spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
  };

  test("has queues of a usual size unless it says otherwise", () => {
    const { object, errors } = level.create(json);
    expect(errors).toEqual([]);
    expect(object.spec.limited).toEqual({
      nominalConcurrencyShares: 30,
      lendablePercent: 0,
      limitResponse: { type: "Queue", queuing: { handSize: 8, queues: 64, queueLengthLimit: 50 } },
    });
    expect(level.cells(json)).toEqual(["high", "Limited", 30, 64, 8, 50, "<unknown>"]);
    expect(level.cells({ metadata: { name: "exempt" }, spec: { type: "Exempt" } })).toEqual([
      "exempt",
      "Exempt",
      "<none>",
      "<none>",
      "<none>",
      "<none>",
      "<unknown>",
    ]);
  });

  test.each([
    [
      "spec.type",
      "Exempt",
      [
        "spec.type: Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt'",
        "spec.limited: Forbidden: must be nil if the type is not Limited",
      ],
    ],
    ["spec.type", "Free", ['spec.type: Unsupported value: "Free": supported values: "Exempt", "Limited"']],
    ["spec.limited", undefined, ["spec.limited: Required value: must not be empty when type is Limited"]],
    [
      "spec.limited.assuredConcurrencyShares",
      -1,
      ["spec.limited.assuredConcurrencyShares: Invalid value: -1: must be positive"],
    ],
    [
      "spec.limited.limitResponse.type",
      "Reject",
      [
        "spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited",
      ],
    ],
    [
      "spec.limited.limitResponse.queuing",
      undefined,
      [
        "spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited",
      ],
    ],
    [
      "spec.limited.limitResponse.queuing.queues",
      10_000_001,
      [
        "spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000",
        "spec.limited.limitResponse.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 10000001 and handSize 8 should not be greater than 60",
      ],
    ],
    [
      "spec.limited.limitResponse.queuing.handSize",
      65,
      [
        "spec.limited.limitResponse.queuing.handSize: Invalid value: 65: should not be greater than queues (64)",
      ],
    ],
    [
      "spec.limited.limitResponse.queuing.handSize",
      11,
      [
        "spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and handSize 11 should not be greater than 60",
      ],
    ],
    ["spec.limited.limitResponse.queuing.handSize", 10, []],
  ])("with %s = %j", (path, value, errors) => {
    expect(level.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("the mandatory ones cannot be changed", () => {
    for (const [name, spec] of mandatoryPriorityLevels) {
      const object = { metadata: { name }, spec: JSON.parse(JSON.stringify(spec)) };
      expect(level.create(object, v1).errors).toEqual([]);
    }
    const catchAll = {
      metadata: { name: "catch-all" },
      spec: changed(json, "spec.limited.assuredConcurrencyShares", 6).spec ?? {},
    };
    expect(level.create(catchAll).errors).toEqual([
      expect.stringMatching(/: spec of 'catch-all' must equal the fixed value$/),
    ]);
  });

  const v1 = { version: "v1" };
  const exempt = { metadata: { name: "exempt" }, spec: { type: "Exempt" } };

  test("has nothing to lend in v1 unless it says otherwise, and shares of zero when it says so", () => {
    const { object, errors } = level.create(json, v1);
    expect(errors).toEqual([]);
    expect(object.spec.limited).toMatchObject({ nominalConcurrencyShares: 30, lendablePercent: 0 });
    const zero = level.create(changed(json, "spec.limited.nominalConcurrencyShares", 0), v1);
    expect(zero.errors).toEqual([]);
    expect(zero.object.spec.limited?.nominalConcurrencyShares).toBe(0);
    expect(level.create(changed(exempt, "spec.exempt", {}), v1).object.spec.exempt).toEqual({
      nominalConcurrencyShares: 0,
      lendablePercent: 0,
    });
  });

  test.each([
    [
      "spec.limited.nominalConcurrencyShares",
      -1,
      ["spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer"],
    ],
    [
      "spec.limited.lendablePercent",
      101,
      ["spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive"],
    ],
    [
      "spec.limited.lendablePercent",
      -1,
      ["spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive"],
    ],
    [
      "spec.limited.borrowingLimitPercent",
      -1,
      ["spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer"],
    ],
    ["spec.limited.borrowingLimitPercent", 300, []],
    ["spec.exempt", {}, ["spec.exempt: Forbidden: must be nil if the type is Limited"]],
  ])("in v1 with %s = %j", (path, value, errors) => {
    expect(level.create(changed(json, path, value), v1).errors).toEqual(errors);
  });

  describe("zero shares", () => {
    const gate = "ZeroLimitedNominalConcurrencyShares";
    const preserveZero = `flowcontrol.${context.naming.groupDomain}/v1beta3-preserve-zero-concurrency-shares`;
    const at = (apiLevel: ApiLevel, isEnabled?: boolean) =>
      kindUnderTest(
        priorityLevelConfigurations(
          testApiContext({
            level: apiLevel,
            ...(isEnabled !== undefined && { gates: { [gate]: isEnabled } }),
          }),
        ),
        apiLevel,
      );
    const withShares = (shares: number): JsonObject => ({
      metadata: { name: "a", annotations: { [preserveZero]: "" } },
      spec: {
        type: "Limited",
        limited: { nominalConcurrencyShares: shares, limitResponse: { type: "Reject" } },
      },
    });
    const refused = (shares: number, why: string) => [
      `spec.limited.nominalConcurrencyShares: Invalid value: ${shares}: ${why}`,
    ];

    test.each<[ApiLevel, boolean | undefined, string, string[], string[]]>([
      ["1.29", undefined, "v1", refused(0, "must be positive"), refused(-1, "must be positive")],
      ["1.29", undefined, "v1beta3", refused(0, "must be positive"), refused(-1, "must be positive")],
      ["1.29", true, "v1", [], refused(-1, "must be a non-negative integer")],
      ["1.29", true, "v1beta3", [], refused(-1, "must be a non-negative integer")],
      ["1.30", undefined, "v1", [], refused(-1, "must be a non-negative integer")],
      ["1.30", undefined, "v1beta3", [], refused(-1, "must be a non-negative integer")],
      ["1.36", undefined, "v1", [], refused(-1, "must be a non-negative integer")],
    ])("at %s with the gate %s, in %s", (apiLevel, isEnabled, version, zero, negative) => {
      const kind = at(apiLevel, isEnabled);
      expect(kind.create(withShares(0), { version }).errors).toEqual(zero);
      expect(kind.create(withShares(-1), { version }).errors).toEqual(negative);
      expect(kind.create(withShares(1), { version }).errors).toEqual([]);
      expect(kind.update(withShares(0), withShares(1), undefined, { version }).errors).toEqual(zero);
      expect(kind.update(withShares(0), withShares(0), undefined, { version }).errors).toEqual([]);
    });
  });

  test.each(["v1", "v1beta2"])(
    "the level named exempt may set in %s what it lends, and no more",
    (version) => {
      const write = { version };
      const create = (spec: JsonObject) =>
        laterLevel.create({ ...exempt, spec: { type: "Exempt", exempt: spec } }, write).errors;
      expect(create({ nominalConcurrencyShares: 10, lendablePercent: 50 })).toEqual([]);
      expect(create({ nominalConcurrencyShares: -1, lendablePercent: 101 })).toEqual([
        "spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer",
        "spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive",
      ]);
    },
  );

  describe("in other versions", () => {
    const annotation = `flowcontrol.${context.naming.groupDomain}/v1beta3-preserve-zero-concurrency-shares`;
    const shares = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    const percent = fc.integer({ min: 0, max: 100 });
    const annotations = fc.option(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.string(), { minKeys: 1 }));
    const limited = fc.record(
      { nominalConcurrencyShares: shares, lendablePercent: percent, borrowingLimitPercent: shares },
      { requiredKeys: [] },
    );
    const specs = fc.oneof(
      limited.map(
        (its): JsonObject => ({ type: "Limited", limited: { ...its, limitResponse: { type: "Reject" } } }),
      ),
      fc
        .option(
          fc.record({ nominalConcurrencyShares: shares, lendablePercent: percent }, { requiredKeys: [] }),
        )
        .map((its): JsonObject => ({ type: "Exempt", ...(its !== null && { exempt: its }) })),
    );
    const levels = fc.tuple(annotations, specs).map(
      ([given, spec]): JsonObject => ({
        metadata: { name: "l", ...(given && { annotations: given }) },
        spec,
      }),
    );

    test.each(["v1beta1", "v1beta2"])("an object of v1 comes back from %s as it was", (version) => {
      fc.assert(
        fc.property(levels, (given) => {
          const object = laterLevel.decode(given, "v1");
          const before = laterLevel.encode(object, "v1");
          const older = laterLevel.encode(object, version);
          expect(laterLevel.encode(laterLevel.decode(older, version), "v1")).toEqual(before);
        }),
      );
    });

    test("what v1 lacks is as version 1.23 knows it", () => {
      const object = level.decode(changed(json, "spec.limited.limitResponse", { type: "Reject" }), "v1");
      expect(level.encode(object, "v1beta1")).toMatchObject({ metadata: { name: "high" } });
      expect(JSON.parse(JSON.stringify(level.encode(object, "v1beta1")))).toHaveProperty("spec.limited", {
        assuredConcurrencyShares: 30,
        limitResponse: { type: "Reject" },
      });
    });

    test("shares of zero have an annotation, without which zero is unset", () => {
      const object = level.decode(changed(json, "spec.limited.nominalConcurrencyShares", 0), "v1");
      const older = level.encode(object, "v1beta2");
      expect(older).toMatchObject({
        metadata: { annotations: { [annotation]: "" } },
        spec: { limited: { assuredConcurrencyShares: 0 } },
      });
      const unset = level.decode(changed(json, "spec.limited.assuredConcurrencyShares", 0), "v1beta2");
      expect(unset.spec.limited?.nominalConcurrencyShares).toBe(30);
      expect(level.encode(object, "v1")).not.toHaveProperty("metadata.annotations");
    });

    test("the shares have the version's name in the table", () => {
      const { columns, versions = [] } =
        definitionAtLevel(priorityLevelConfigurations(context), "1.23") ?? {};
      const named = (table: typeof columns) => table?.columns[2]?.name;
      expect(named(columns)).toBe("NominalConcurrencyShares");
      const [newer] = versions;
      expect(newer?.version).toBe("v1beta2");
      expect(newer?.columns?.columns[2]?.name).toBe("AssuredConcurrencyShares");
    });

    test("zero shares of v1 are kept by an annotation in v1beta3", () => {
      const newer = kindUnderTest(priorityLevelConfigurations(testApiContext({ level: "1.29" })), "1.29");
      const zero = {
        type: "Limited",
        limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } },
      };
      const kept = newer.encode(newer.decode({ metadata: { name: "a" }, spec: zero }, "v1"), "v1beta3");
      expect(kept).toMatchObject({
        metadata: {
          annotations: {
            [`flowcontrol.${context.naming.groupDomain}/v1beta3-preserve-zero-concurrency-shares`]: "",
          },
        },
        spec: { limited: { nominalConcurrencyShares: 0 } },
      });
      const back = newer.encode(newer.decode(kept, "v1beta3"), "v1");
      expect(back).toMatchObject({ spec: { limited: { nominalConcurrencyShares: 0 } } });
      expect(back).not.toHaveProperty("metadata.annotations");
      const unset = newer.decode({ metadata: { name: "a" }, spec: zero }, "v1beta3");
      expect(unset.spec.limited?.nominalConcurrencyShares).toBe(30);
    });

    test("every level has its versions, the preferred one first, and stores the one that Kubernetes stores", () => {
      const seen = apiLevels.map((each) => {
        const found = definitionAtLevel(flowSchemas(testApiContext({ level: each })), each);
        return [each, found?.versions.map(({ version }) => version).join(" "), found?.storage?.version];
      });
      expect(seen).toEqual([
        ["1.23", "v1beta2 v1beta1 v1", "v1beta1"],
        ["1.24", "v1beta2 v1beta1", "v1beta1"],
        ["1.25", "v1beta2 v1beta1", "v1beta1"],
        ["1.26", "v1beta3 v1beta2", "v1beta2"],
        ["1.27", "v1beta3 v1beta2", "v1beta3"],
        ["1.28", "v1beta3 v1beta2", "v1beta3"],
        ["1.29", "v1 v1beta3", "v1beta3"],
        ["1.30", "v1 v1beta3", "v1"],
        ["1.31", "v1 v1beta3", "v1"],
        ...(["1.32", "1.33", "1.34", "1.35", "1.36"] as const).map((each) => [each, "v1", "v1"]),
      ]);
    });
  });
});

test.each<[ApiLevel, string, ...string[]]>([
  ["1.25", "LimitedPriorityLevelConfiguration", "assuredConcurrencyShares", "limitResponse"],
  [
    "1.26",
    "LimitedPriorityLevelConfiguration",
    "assuredConcurrencyShares",
    "limitResponse",
    "lendablePercent",
    "borrowingLimitPercent",
  ],
  ["1.27", "PriorityLevelConfigurationSpec", "type", "limited"],
  ["1.28", "PriorityLevelConfigurationSpec", "type", "limited", "exempt"],
])("at %s the %s of versions before v1beta3 has %j", (level, type, ...fields) => {
  const schemas = new SchemaRegistry(typePackages, { level });
  for (const version of ["v1beta1", "v1beta2"]) {
    const { schema } = schemas.codec(`flowcontrol/${version}.${type}`);
    expect([...(schema?.jsonFields.keys() ?? [])]).toEqual(fields);
  }
});
