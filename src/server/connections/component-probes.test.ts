import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { componentProbes } from "./component-probes.js";

const { signal } = new AbortController();

async function storeAt(level: ApiLevel, checkStore: () => Promise<void>): Promise<unknown> {
  const probes = componentProbes({
    naming: createNaming("kubernetes"),
    level,
    checkStore,
    storeServers: 0,
  });
  return await probes.find(({ name }) => name === "etcd-0")?.check(signal);
}

test.each<[ApiLevel, string]>([
  ["1.24", '{"health":"true","reason":""}'],
  ["1.25", ""],
  ["1.27", ""],
  ["1.28", "ok"],
  ["1.36", "ok"],
])("at %s the component status of a healthy store says %j", async (level, message) => {
  expect(await storeAt(level, async () => undefined)).toEqual({ healthy: true, message });
});

test("a store that does not answer says why", async () => {
  const fails = async (): Promise<void> => {
    throw new Error("no answer");
  };
  expect(await storeAt("1.36", fails)).toEqual({ healthy: false, message: "no answer" });
});
