import { beforeEach, expect, test } from "vitest";
import { ManualClock } from "../time/manual-clock.js";
import { controllerUser, controllerWrite } from "./controller.js";
import { SystemNamespaces } from "./system-namespaces.js";
import { TestRegistries } from "./testing/registries.js";

const names = ["node-leases", "system"];
const namespaces = names.map((name) => ({ metadata: { name }, spec: {}, status: {} }));
let registries: TestRegistries;
let clock: ManualClock;
let controller: SystemNamespaces;

beforeEach(async () => {
  registries = new TestRegistries(["namespaces"]);
  clock = new ManualClock();
  controller = new SystemNamespaces(registries.context, namespaces, clock);
  await controller.start();
});

async function namesNow(): Promise<string[]> {
  const { items } = await registries.of("namespaces").list({ prefix: "", at: { kind: "any" }, limit: 0 });
  return items.map(({ key }) => key).sort();
}

/** Deletes a namespace, and lets go of it as the namespace controller does. */
async function remove(name: string): Promise<void> {
  const namespaces = registries.context.builtin("namespaces");
  const finalize = namespaces.definition.subresources.find((each) => each.name === "finalize");
  if (finalize?.kind !== "part") throw new Error("namespaces have a subresource finalize");
  await registries.remove("namespaces", name);
  await namespaces.update(controllerWrite(registries.context, controllerUser("test"), ""), name, {
    transform: async (current) => {
      if (current === undefined) throw new Error("the namespace is terminating");
      return { ...current.copy(), spec: { finalizers: [] } };
    },
    strategy: finalize.strategy,
  });
}

test("a system namespace that is deleted is created again after a minute, every time", async () => {
  await clock.advance(59_999);
  expect(await namesNow()).toEqual([]);
  await clock.advance(1);
  await expect.poll(namesNow).toEqual(names);
  for (let round = 0; round < 2; round += 1) {
    await clock.advance(1000);
    await remove("node-leases");
    expect(await namesNow()).toEqual(["system"]);
    await clock.advance(59_000);
    await expect.poll(namesNow).toEqual(names);
  }
  await controller.stop();
});

test("nothing is made after it has stopped", async () => {
  await controller.stop();
  await clock.advance(600_000);
  expect(await namesNow()).toEqual([]);
});
