import { describe, expect, test } from "vitest";
import { findErrors } from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, minorOf } from "../../apimachinery/levels/api-level.js";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { clusterRoles } from "./cluster-role/resource.js";
import { clusterRoleBindings } from "./cluster-role-binding/resource.js";
import { roles } from "./role/resource.js";
import { roleBindings } from "./role-binding/resource.js";

const context = testApiContext();
const group = context.naming.group("rbac.authorization");
const role = kindUnderTest(roles(context));
const clusterRole = kindUnderTest(clusterRoles(context));
const roleBinding = kindUnderTest(roleBindings(context));
const clusterRoleBinding = kindUnderTest(clusterRoleBindings(context));

const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };

test("names of roles may be anything that fits in a path", () => {
  const { validateName } = roles(context).strategy;
  expect(validateName("system:node", false)).toEqual([]);
  expect(validateName("a/b", false)).toEqual(["may not contain '/'"]);
});

describe("role", () => {
  test.each([
    ["nothing", {}, []],
    ["a rule", { rules: [rule] }, []],
    [
      "no verbs",
      { rules: [{ ...rule, verbs: [] }] },
      ["rules[0].verbs: Required value: verbs must contain at least one value"],
    ],
    [
      "an empty rule",
      { rules: [rule, { verbs: ["get"] }] },
      [
        "rules[1].apiGroups: Required value: resource rules must supply at least one api group",
        "rules[1].resources: Required value: resource rules must supply at least one resource",
      ],
    ],
    [
      "a URL",
      { rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }] },
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/healthz"}: namespaced rules cannot apply to non-resource URLs',
      ],
    ],
  ])("with %s", (_what, json, errors) => {
    expect(role.create(json).errors).toEqual(errors);
    expect(role.update(json, {}).errors).toEqual([...errors, ...errors]);
  });
});

describe("cluster role", () => {
  test.each([
    ["a URL", { rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/version"] }] }, []],
    [
      "a URL and resources",
      { rules: [{ ...rule, nonResourceURLs: ["/healthz"] }] },
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/healthz"}: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
    ["an aggregation", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }, []],
    [
      "an aggregation of nothing",
      { aggregationRule: {} },
      [
        "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
      ],
    ],
    [
      "a selector without operator",
      { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "Near" }] }] } },
      [
        'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
      ],
    ],
    [
      "a selector whose value is no label",
      {
        aggregationRule: {
          clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "In", values: ["-"] }] }],
        },
      },
      ['aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.'],
    ],
  ])("with %s", (_what, json, errors) => {
    expect(clusterRole.create(json).errors).toEqual(errors);
  });
});

const binding = {
  metadata: { name: "b", creationTimestamp: "2021-12-31T23:00:00Z" },
  subjects: [
    { kind: "User", name: "jane" },
    { kind: "Group", name: "ops" },
    { kind: "ServiceAccount", name: "robot", namespace: "ns" },
  ],
  roleRef: { kind: "ClusterRole", name: "edit" },
};

describe("bindings", () => {
  test("users, groups and roles are of the group unless it is said otherwise", () => {
    const { subjects, roleRef } = roleBinding.decode(binding);
    expect(roleRef.apiGroup).toBe(group);
    expect(subjects?.map(({ apiGroup }) => apiGroup)).toEqual([group, group, undefined]);
  });

  test("in a namespace take roles of both kinds, across the cluster only cluster roles", () => {
    const toRole = changed(binding, "roleRef.kind", "Role");
    expect(roleBinding.create(binding).errors).toEqual([]);
    expect(roleBinding.create(toRole).errors).toEqual([]);
    expect(clusterRoleBinding.create(binding).errors).toEqual([]);
    expect(clusterRoleBinding.create(toRole).errors).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ]);
  });

  test.each([
    [
      "roleRef.apiGroup",
      "other",
      [`roleRef.apiGroup: Unsupported value: "other": supported values: "${group}"`],
    ],
    ["roleRef.name", "", ["roleRef.name: Required value"]],
    ["roleRef.name", "a/b", ["roleRef.name: Invalid value: \"a/b\": may not contain '/'"]],
    [
      "subjects.0.kind",
      "Robot",
      ['subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'],
    ],
    ["subjects.0.name", "", ["subjects[0].name: Required value"]],
    ["subjects.1.name", "", ["subjects[1].name: Required value"]],
    [
      "subjects.0.apiGroup",
      "x",
      [`subjects[0].apiGroup: Unsupported value: "x": supported values: "${group}"`],
    ],
    ["subjects.2.apiGroup", "x", ['subjects[2].apiGroup: Unsupported value: "x": supported values: ""']],
  ])("with %s = %j", (path, value, errors) => {
    expect(roleBinding.create(changed(binding, path, value)).errors).toEqual(errors);
  });

  test("a service account needs its namespace only where the binding has none", () => {
    const json = changed(binding, "subjects.2.namespace", undefined);
    expect(roleBinding.create(json).errors).toEqual([]);
    expect(clusterRoleBinding.create(json).errors).toEqual(["subjects[2].namespace: Required value"]);
  });

  test("never change their role, but may change who has it", () => {
    expect(roleBinding.update(changed(binding, "subjects", []), binding).errors).toEqual([]);
    expect(roleBinding.update(changed(binding, "roleRef.name", "view"), binding).errors).toEqual([
      `roleRef: Invalid value: rbac.RoleRef{APIGroup:"${group}", Kind:"ClusterRole", Name:"view"}: cannot change roleRef`,
    ]);
  });

  test("what is wrong with an update is told twice before 1.35, and once since", () => {
    const countsAt = (level: ApiLevel) => {
      const at = testApiContext({ level });
      const wrong = changed(binding, "subjects.0.name", "");
      const bad = { rules: [{ ...rule, verbs: [] }] };
      const count = (update: () => readonly string[]) => {
        let errors: readonly string[] = [];
        findErrors(() => {
          errors = update();
          return [];
        }, minorOf(level));
        return errors.length;
      };
      return [
        count(() => kindUnderTest(roleBindings(at)).update(wrong, binding).errors),
        count(() => kindUnderTest(roles(at)).update(bad, {}).errors),
        count(() => kindUnderTest(clusterRoles(at)).update(bad, {}).errors),
      ];
    };
    expect((["1.34", "1.35", "1.36"] as const).map(countsAt)).toEqual([
      [2, 2, 2],
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });

  test("print the role and the subjects by kind", () => {
    expect(roleBinding.cells(binding)).toEqual(["b", "ClusterRole/edit", "60m", "jane", "ops", "ns/robot"]);
  });
});
