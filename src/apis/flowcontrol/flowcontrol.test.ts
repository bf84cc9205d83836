import { describe, expect, test } from "vitest";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { flowSchemas } from "./flow-schema/resource.js";
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from "./mandatory.js";
import { priorityLevelConfigurations } from "./priority-level-configuration/resource.js";

const context = testApiContext();
const schema = kindUnderTest(flowSchemas(context));
const level = kindUnderTest(priorityLevelConfigurations(context));

const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["ns"] };
const schemaJson = {
  metadata: { name: "s" },
  spec: {
    priorityLevelConfiguration: { name: "high" },
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: [{ kind: "User", user: { name: "jane" } }], resourceRules: [resourceRule] }],
  },
};

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

  test("the mandatory ones are what they are", () => {
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
      assuredConcurrencyShares: 30,
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

  test("the mandatory ones are what they are", () => {
    for (const [name, spec] of mandatoryPriorityLevels) {
      expect(level.create({ metadata: { name }, spec: JSON.parse(JSON.stringify(spec)) }).errors).toEqual([]);
    }
    const catchAll = {
      metadata: { name: "catch-all" },
      spec: changed(json, "spec.limited.assuredConcurrencyShares", 6).spec ?? {},
    };
    expect(level.create(catchAll).errors).toEqual([
      expect.stringMatching(/: spec of 'catch-all' must equal the fixed value$/),
    ]);
  });
});
