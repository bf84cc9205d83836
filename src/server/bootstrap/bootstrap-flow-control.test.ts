import { expect, test } from "vitest";
import { type ApiLevel, apiLevels, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { flowControlObjects } from "./bootstrap-flow-control.js";

const at = (level: ApiLevel) => flowControlObjects(createNaming("kubernetes"), level);

test("levels lend seats since 1.26, and keep their shares", () => {
  const of = (level: ApiLevel) =>
    [...at(level).levels.suggested].map(([name, { limited }]) => [
      name,
      limited?.nominalConcurrencyShares,
      limited?.lendablePercent,
    ]);
  expect(of("1.25").every(([, , percent]) => percent === 0)).toBe(true);
  expect(of("1.26")).toEqual([
    ["system", 30, 33],
    ["node-high", 40, 25],
    ["leader-election", 10, 0],
    ["workload-high", 40, 50],
    ["workload-low", 100, 90],
    ["global-default", 20, 50],
  ]);
});

test("schemas for locks that are no leases go with the levels that have them", () => {
  for (const level of apiLevels) {
    const schemas = at(level).schemas.suggested;
    const hasOld = !isAtLeast(level, "1.34");
    expect(schemas.has("endpoint-controller"), level).toBe(hasOld && level !== "1.23");
    expect(schemas.has("workload-leader-election"), level).toBe(hasOld);
    const rules = schemas.get("system-leader-election")?.rules?.[0]?.resourceRules ?? [];
    const resources = rules.flatMap((rule) => rule.resources);
    expect(resources, level).toEqual(level === "1.23" ? ["endpoints", "configmaps", "leases"] : ["leases"]);
    const ofWorkloads = schemas.get("workload-leader-election")?.rules?.[0]?.resourceRules ?? [];
    expect(ofWorkloads.flatMap((rule) => rule.resources)).toEqual(
      hasOld ? ["endpoints", "configmaps", "leases"] : [],
    );
  }
});

test("the level of exempt requests has its shares since 1.28, and keeps those of an operator", () => {
  expect(at("1.27").levels.mandatory.get("exempt")).toEqual({ type: "Exempt" });
  const { mandatory, merge } = at("1.28").levels;
  const exempt = { nominalConcurrencyShares: 0, lendablePercent: 0 };
  const wanted = mandatory.get("exempt");
  expect(wanted).toEqual({ type: "Exempt", exempt });
  expect(wanted && merge?.(wanted, { type: "Exempt" })).toEqual(wanted);
  const set = { type: "Exempt", exempt: { nominalConcurrencyShares: 7, lendablePercent: 0 } };
  expect(wanted && merge?.(wanted, set)).toEqual(set);
});
