import { expect, test } from "vitest";
import { FaultEngine } from "./fault-engine.js";
import type { FaultTarget } from "./fault-rule.js";
import { serverFaults } from "./server-faults.js";

function target(user: string, verb: string): FaultTarget {
  const where = { group: "", resource: "pods", namespace: "default", name: "a" };
  return { user, userAgent: "test", verb, ...where, mayBeOld: false };
}

test("a storm reports its own hits, and what the clients did after them", async () => {
  const engine = new FaultEngine();
  const faults = serverFaults(engine);
  const first = faults.storm("conflicts", { match: { users: ["ann"] } });
  const second = faults.storm("overload", { match: { users: ["bob"] } });
  faults.inject({ match: { users: ["eve"] }, effect: { status: { code: 409 } } });
  for (let i = 0; i < 100; i++) {
    for (const user of ["ann", "bob", "eve"]) await engine.hitsOf(target(user, "update"));
  }
  await engine.hitsOf(target("ann", "get"));
  for (const [storm, user] of [
    [first, "ann"],
    [second, "bob"],
  ] as const) {
    const { injected, clients } = storm.stop();
    const hits = Object.values(injected).reduce((sum, each) => sum + each, 0);
    expect(hits).toBeGreaterThan(0);
    expect(clients).toMatchObject([{ user, hits }]);
  }
  const [ann] = first.report().clients;
  expect(ann?.followed).toBe(ann?.hits);
  expect(Object.keys(ann?.reactions ?? {})).toContain("update pods -> update pods");
  const before = first.report();
  await engine.hitsOf(target("ann", "update"));
  expect(first.report()).toEqual(before);
});

test("ending a rule or a storm does not affect a newer one of the same name", () => {
  const faults = serverFaults(new FaultEngine());
  const before = faults.inject({ effect: { delay: "1s" } }, "late");
  const after = faults.inject({ effect: { delay: "2s" } }, "late");
  before.remove();
  expect(faults.list()).toEqual([{ name: "late", hits: 0 }]);
  after.remove();
  expect(faults.list()).toEqual([]);
  const old = faults.storm("conflicts");
  faults.storm("conflicts", { seed: 2 });
  old.stop();
  expect(faults.list()).toHaveLength(1);
});
