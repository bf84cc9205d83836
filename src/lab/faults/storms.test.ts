import { expect, test } from "vitest";
import { FaultRule } from "./fault-rule.js";
import { parseStorm, stormNames, stormRules } from "./storms.js";

test.each(stormNames)(
  "the storm %s has valid rules, which differ by the seed and match its targets",
  (name) => {
    const match = { users: ["somebody"] };
    const rules = stormRules(name, { seed: 7, match });
    for (const [rule, spec] of rules) {
      expect(() => new FaultRule(rule, spec)).not.toThrow();
      expect(spec.match?.users).toEqual(["somebody"]);
    }
    const seeds = rules.map(([, { when }]) => when?.seed);
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(stormRules(name, { seed: 8 }).map(([, { when }]) => when?.seed)).not.toEqual(seeds);
  },
);

test("a storm is given by its name, and a seed", () => {
  expect(parseStorm("network")).toEqual({ value: { name: "network", seed: 1 } });
  expect(parseStorm("informer:42")).toEqual({ value: { name: "informer", seed: 42 } });
  for (const text of ["", "rain", "network:", "network:x", "network:1:2x"]) {
    expect(parseStorm(text)).toHaveProperty("problem");
  }
});
