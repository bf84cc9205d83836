import { expect, test } from "vitest";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";
import { describeRules, missingRules } from "./rule-cover.js";

const rule = (verbs: string, apiGroups: string, resources: string, resourceNames?: string): PolicyRule => ({
  verbs: verbs.split(","),
  apiGroups: apiGroups.split(","),
  resources: resources.split(","),
  ...(resourceNames !== undefined && { resourceNames: resourceNames.split(",") }),
});
const urls = (verbs: string, paths: string): PolicyRule => ({
  verbs: verbs.split(","),
  nonResourceURLs: paths.split(","),
});

test.each<[PolicyRule[], PolicyRule[], string]>([
  [[rule("get,list", "", "pods")], [rule("get", "", "pods")], ""],
  [[rule("get", "", "pods"), rule("list", "", "pods")], [rule("get,list", "", "pods")], ""],
  [
    [rule("get", "", "pods")],
    [rule("get,list,watch", "", "pods")],
    '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}',
  ],
  [[rule("*", "", "pods")], [rule("get,*", "", "pods")], ""],
  [[rule("get", "", "pods")], [rule("*", "", "pods")], '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  [[rule("*", "*", "*")], [rule("*", "*", "*"), rule("a", "b", "c/d", "e")], ""],
  [[rule("get", "*", "pods")], [rule("get", "a,b", "pods")], ""],
  [
    [rule("get", "a", "pods")],
    [rule("get", "*", "pods")],
    '{APIGroups:["*"], Resources:["pods"], Verbs:["get"]}',
  ],
  [[rule("get", "", "*/log")], [rule("get", "", "pods/log")], ""],
  [
    [rule("get", "", "pods/log")],
    [rule("get", "", "*/log")],
    '{APIGroups:[""], Resources:["*/log"], Verbs:["get"]}',
  ],
  [[rule("get", "", "pods")], [rule("get", "", "pods", "a")], ""],
  [
    [rule("get", "", "pods", "a")],
    [rule("get", "", "pods")],
    '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
  ],
  [
    [rule("get", "", "pods", "a")],
    [rule("get", "", "pods", "a,b")],
    '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
  ],
  [
    [],
    [rule("get,list", "", "pods", "a,b")],
    '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get" "list"]}',
  ],
  [[urls("get", "/healthz/*")], [urls("get", "/healthz/a,/healthz/*")], ""],
  [
    [urls("get", "/healthz/*")],
    [urls("get,post", "/healthz")],
    '{NonResourceURLs:["/healthz"], Verbs:["get"]}\n{NonResourceURLs:["/healthz"], Verbs:["post"]}',
  ],
  [[urls("*", "*")], [urls("get", "/a"), urls("*", "*")], ""],
  [
    [],
    [rule("get", "apps,batch", "a")],
    '{APIGroups:["apps"], Resources:["a"], Verbs:["get"]}\n{APIGroups:["batch"], Resources:["a"], Verbs:["get"]}',
  ],
])("of %j, %j lacks %s", (held, wanted, missing) => {
  expect(describeRules(missingRules(held, wanted))).toBe(missing);
});

test("rules of more combinations than can be looked at are missing, unless one rule covers them", () => {
  const many = (prefix: string) => Array.from({ length: 1000 }, (_, index) => `${prefix}${index}`);
  const large = { verbs: many("v"), apiGroups: many("g"), resources: many("r") };
  expect(missingRules([rule("get", "", "pods")], [large])).toHaveLength(1);
  expect(missingRules([rule("*", "*", "*")], [large])).toEqual([]);
  const held = many("r").map((resource) => rule("get", "", `pods,${resource}`));
  const wanted = Array.from({ length: 20_000 }, () => rule("list", "", "pods"));
  expect(missingRules(held, wanted)).toHaveLength(1);
});

test("a hundred thousand missing verbs and a URL of a million stars are compared in linear time", () => {
  const rules = Array.from({ length: 4 }, (_, k) =>
    rule(Array.from({ length: 25_000 }, (_, i) => `v${k}-${i}`).join(), "a", "r"),
  );
  const [missing, ...others] = missingRules([], rules);
  expect(missing?.verbs).toHaveLength(100_000);
  expect(others).toEqual([]);
  const stars = `/${"*".repeat(1_000_000)}a*`;
  expect(missingRules([urls("get", stars)], [urls("get", "/b")])).toEqual([urls("get", "/b")]);
  expect(missingRules([urls("get", "/a**")], [urls("get", "/abc")])).toEqual([]);
});
