import { expect, test } from "vitest";
import { BehaviourRules, type RuledObject } from "./behaviour-rules.js";

const pod = { namespace: "prod", name: "web-0", labels: { app: "web" } };
const app = { name: "app", image: "web:2" };

test.each([
  [{}, true],
  [
    {
      namespaces: ["pr*"],
      names: ["web-*"],
      labelSelector: "app=web",
      images: ["web:*"],
      containers: ["app"],
    },
    true,
  ],
  [{ namespaces: ["test"] }, false],
  [{ names: ["db-*"] }, false],
  [{ labelSelector: "app!=web" }, false],
  [{ images: ["web:1", "db:*"] }, false],
  [{ containers: ["proxy"] }, false],
  [{ namespaces: [] }, false],
])("a match %j: %j", (match, expected) => {
  const rules = new BehaviourRules();
  rules.set("slow", { match, container: { pull: "2s" } });
  expect(rules.ofContainer(pod, app, "pull")).toBe(expected ? "2s" : undefined);
});

test("of rules that say something of the same, the first name counts", () => {
  const rules = new BehaviourRules();
  rules.set("b", { container: { exitCode: 1, stop: "never" } });
  rules.set("a", { container: { exitCode: 2 } });
  expect(rules.ofContainer(pod, app, "exitCode")).toBe(2);
  expect(rules.ofContainer(pod, app, "stop")).toBe("never");
  rules.delete("a");
  expect(rules.ofContainer(pod, app, "exitCode")).toBe(1);
});

test("where containers have to be named, a rule for all of them does not count", () => {
  const rules = new BehaviourRules();
  rules.set("all", { container: { exitCode: 1 } });
  expect(rules.ofContainer(pod, app, "exitCode", true)).toBeUndefined();
  rules.set("image", { match: { images: ["web:*"] }, container: { exitCode: 2 } });
  expect(rules.ofContainer(pod, app, "exitCode", true)).toBe(2);
});

test("a rule for nodes does not apply to pods, nor the reverse", () => {
  const rules = new BehaviourRules();
  rules.set("gone", { match: { names: ["node-*"] }, node: { state: "gone" } });
  rules.set("slow", { container: { pull: "2s" } });
  expect(rules.ofNode({ namespace: "", name: "node-1", labels: {} })).toBe("gone");
  expect(rules.ofNode({ namespace: "", name: "other", labels: {} })).toBeUndefined();
});

test("listeners hear which objects a change concerns, before and after it", () => {
  const rules = new BehaviourRules();
  const heard: ((object: RuledObject) => boolean)[] = [];
  rules.onChange((concerns) => heard.push(concerns));
  const other = { ...pod, name: "db-0" };
  rules.set("rule", { match: { names: ["web-*"] }, container: { pull: "1s" } });
  rules.set("rule", { match: { names: ["db-*"] }, container: { pull: "1s" } });
  rules.delete("rule");
  rules.delete("rule");
  expect(heard.map((concerns) => [concerns(pod), concerns(other)])).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
});

test.each([
  [{}, "a rule says something of containers or of nodes, and not of both"],
  [{ match: { labelSelector: "a b" }, container: { stop: "1s" } }, "match.labelSelector: not a selector"],
  [
    { match: { images: ["a"] }, node: { state: "gone" as const } },
    "match: nodes are matched by names and labelSelector alone",
  ],
])("a rule %j is wrong, and so is what it replaces", (spec, problem) => {
  const rules = new BehaviourRules();
  rules.set("rule", { container: { stop: "never" } });
  expect(() => rules.set("rule", spec)).toThrow(problem);
  expect(rules.ofContainer(pod, app, "stop")).toBeUndefined();
});
