import { describe, expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
import { mutatingAdmissionPolicy } from "./mutating-admission-policy.js";

const rules = [
  { operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
];

const policy = (name: string, spec: object) => ({
  metadata: { name },
  spec: { matchConstraints: { resourceRules: rules }, reinvocationPolicy: "Never", ...spec },
});

const applied = (expression: string) => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});

const patched = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });

const pod = {
  metadata: { name: "p", labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "i:1", env: [{ name: "A", value: "1" }] }] },
};

async function mutated(...policies: readonly object[]) {
  const names = policies.map((one) => (one as ReturnType<typeof policy>).metadata.name);
  const ground = new PluginGround(mutatingAdmissionPolicy, {
    level: "1.36",
    known: {
      mutatingadmissionpolicies: policies,
      mutatingadmissionpolicybindings: names.map((name) => ({
        metadata: { name },
        spec: { policyName: name },
      })),
      namespaces: [{ metadata: { name: "ns" } }],
    },
  });
  return await ground.admit({ resource: "pods", object: pod });
}

describe("an apply configuration", () => {
  test("merges into objects and associative lists", async () => {
    const { object, refusal } = await mutated(
      policy("p", {
        variables: [{ name: "added", expression: "'v' + string(size(object.spec.containers))" }],
        mutations: [
          applied(
            "Object{metadata: Object.metadata{labels: {'x': variables.added}}, spec: Object.spec{containers: [Object.spec.containers{name: 'c', env: [Object.spec.containers.env{name: 'B', value: '2'}]}, Object.spec.containers{name: 'd', image: 'j'}]}}",
          ),
          applied("Object{metadata: Object.metadata{annotations: {'seen': object.metadata.labels.x}}}"),
        ],
      }),
    );
    expect(refusal).toBeUndefined();
    expect(object).toMatchObject({
      metadata: { labels: { app: "a", x: "v1" }, annotations: { seen: "v1" } },
      spec: {
        containers: [
          { name: "c", image: "i:1", env: [{ name: "A" }, { name: "B", value: "2" }] },
          { name: "d", image: "j" },
        ],
      },
    });
  });

  test("may not replace what is owned as a whole", async () => {
    const expression =
      "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', args: ['x']}]}}";
    expect(await mutated(policy("p", { mutations: [applied(expression)] }))).toMatchObject({
      code: 403,
      refusal:
        "policy 'p' with binding 'p' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].args",
    });
  });
});

test("an apply configuration has the kind of the object, whatever it says", async () => {
  const expression = "Object{kind: 'Other', apiVersion: 'v7', metadata: Object.metadata{labels: {'x': 'y'}}}";
  const { object, refusal } = await mutated(policy("p", { mutations: [applied(expression)] }));
  expect(refusal).toBeUndefined();
  expect(object).toMatchObject({ metadata: { labels: { app: "a", x: "y" } } });
});

test.each([
  [
    "Object{spec: Object.spec{containers: [{'name': 'c', 'image': 'x'}]}}",
    ".spec.containers: element 0: associative list with keys may not have non-map elements",
  ],
  [
    "Object{spec: Object.spec{terminationGracePeriodSeconds: null}}",
    ".spec.terminationGracePeriodSeconds: expected numeric (int or float), got structpb.NullValue",
  ],
  [
    "Object{metadata: Object.metadata{labels: {'x': duration('1h')}}}",
    ".metadata.labels.x: expected string, got time.Duration",
  ],
])("an apply configuration makes no JSON of every value: %s", async (expression, problem) => {
  expect(await mutated(policy("p", { mutations: [applied(expression)] }))).toMatchObject({
    code: 403,
    refusal: `policy 'p' with binding 'p' denied request: error applying patch: failed to convert patch object to typed object: ${problem}`,
  });
});

test("an apply configuration may take over parts of the object", async () => {
  const expression = "Object{spec: Object.spec{containers: object.spec.containers}}";
  const { refusal } = await mutated(policy("p", { mutations: [applied(expression)] }));
  expect(refusal).toBeUndefined();
});

describe("object literals", () => {
  test.each([
    [
      applied("Object{spec: Object.foo{}}"),
      'unexpected type name "Object.foo", expected "Object.spec", which matches field name path from root Object type',
    ],
    [
      applied("Object{spec: Object.spec{containers: [Object.spec{}], nodeSelector: {'a': Object{}}}}"),
      'unexpected type name "Object.spec", expected "Object.spec.containers", which matches field name path from root Object type\nunexpected type name "Object", expected "Object.spec.nodeSelector", which matches field name path from root Object type',
    ],
    [
      patched("[JSONPatch{op: 'add', path: '/spec', value: Object.spec{securityContext: Object.other{}}}]"),
      'unexpected type name "Object.other", expected "Object.spec.securityContext", which matches field name path from root Object type',
    ],
  ])("%j must be named after the fields that lead to them", async (mutation, problem) => {
    expect(await mutated(policy("p", { mutations: [mutation] }))).toMatchObject({
      code: 403,
      refusal: `policy 'p' with binding 'p' denied request: type mismatch: ${problem}`,
    });
  });

  test("an operation of a patch may have any as its value", async () => {
    const mutation = patched(
      "[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.any{name: 'd'}}]",
    );
    const { object, refusal } = await mutated(policy("p", { mutations: [mutation] }));
    expect(refusal).toBeUndefined();
    expect(object).toMatchObject({ spec: { containers: [{ name: "c" }, { name: "d" }] } });
  });
});

describe("a JSON patch", () => {
  test("changes the object, and not where its own test fails", async () => {
    const change = (expected: string) =>
      patched(
        `[JSONPatch{op: 'test', path: '/spec/containers/0/image', value: '${expected}'}, JSONPatch{op: 'replace', path: '/spec/containers/0/image', value: 'new'}]`,
      );
    const image = async (expected: string) =>
      (await mutated(policy("p", { mutations: [change(expected)] }))).object;
    expect(await image("i:1")).toMatchObject({ spec: { containers: [{ image: "new" }] } });
    expect(await image("other")).toMatchObject({ spec: { containers: [{ image: "i:1" }] } });
  });

  test("that cannot be applied refuses the request, unless failures are ignored", async () => {
    const mutations = [patched("[JSONPatch{op: 'remove', path: '/spec/nothing'}]")];
    const { refusal, code } = await mutated(policy("p", { mutations }));
    expect(code).toBe(403);
    expect(refusal).toMatch(/^policy 'p' with binding 'p' denied request: JSON Patch: /);
    expect((await mutated(policy("p", { mutations, failurePolicy: "Ignore" }))).refusal).toBeUndefined();
  });
});

test("policies run in order of their names, and once more where they ask for it", async () => {
  const note = (name: string, changes: object = {}) =>
    policy(name, {
      mutations: [
        patched(
          `[JSONPatch{op: 'add', path: '/metadata/labels/${name}', value: string(int(object.metadata.labels.?${name}.orValue('0')) + 1)}]`,
        ),
      ],
      ...changes,
    });
  const { object } = await mutated(note("b"), note("a", { reinvocationPolicy: "IfNeeded" }));
  expect(object?.metadata.labels).toEqual({ app: "a", a: "2", b: "1" });
});

test("a change lets a policy run once more that made it", async () => {
  const mutations = [
    patched(
      "[JSONPatch{op: 'add', path: '/metadata/labels/n', value: object.metadata.labels.?n.orValue('') + 'x'}]",
    ),
  ];
  const labels = async (reinvocationPolicy: string) =>
    (await mutated(policy("p", { mutations, reinvocationPolicy }))).object?.metadata.labels;
  expect(await labels("Never")).toEqual({ app: "a", n: "x" });
  expect(await labels("IfNeeded")).toEqual({ app: "a", n: "xx" });
});

describe("a policy matches the object", () => {
  const label = (name: string, value: string, changes: object = {}) =>
    policy(name, {
      mutations: [applied(`Object{metadata: Object.metadata{labels: {'${name}': '${value}'}}}`)],
      ...changes,
    });
  const selecting = (labels: object) => ({
    matchConstraints: { resourceRules: rules, objectSelector: { matchLabels: labels } },
  });

  test("as it was before all policies", async () => {
    const { object } = await mutated(
      label("app", "b"),
      label("b", "new", selecting({ app: "b" })),
      label("c", "old", selecting({ app: "a" })),
    );
    expect(object?.metadata.labels).toEqual({ app: "b", c: "old" });
  });

  test("while its conditions see the changes of policies before", async () => {
    const matchConditions = [{ name: "c", expression: "object.metadata.labels.app == 'b'" }];
    const { object } = await mutated(label("app", "b"), label("b", "new", { matchConditions }));
    expect(object?.metadata.labels).toEqual({ app: "b", b: "new" });
  });

  test("and one that cannot be used is told before failed mutations", async () => {
    const failing = policy("a", { mutations: [patched("[JSONPatch{op: 'remove', path: '/spec/nothing'}]")] });
    const unknown = label("b", "x", { paramKind: { apiVersion: "example.com/v1", kind: "Nothing" } });
    const { refusal, causes } = await mutated(failing, unknown);
    expect(refusal).toMatch(/^policy "b" denied request: failed to configure policy: /);
    expect(causes.map(({ message }) => message)).toEqual([
      refusal,
      expect.stringContaining("policy 'a' with binding 'a'"),
    ]);
  });
});

test("conditions decide whether a policy changes anything", async () => {
  const mutations = [applied("Object{metadata: Object.metadata{labels: {'x': 'y'}}}")];
  const matchConditions = [{ name: "c", expression: "object.metadata.labels.app == 'b'" }];
  const { object } = await mutated(policy("p", { mutations, matchConditions }));
  expect(object?.metadata.labels).toEqual({ app: "a" });
});
