import { expect, test } from "vitest";
import { MemoryStore } from "../../../storage/testing/memory-store.js";
import { earlyIntervalMs, repairIntervalMs } from "./service-repair.js";
import { createServiceGround, refusal } from "./testing/service-ground.js";

test("nothing is allocated before the first repair", async () => {
  const ground = await createServiceGround();
  expect(await refusal(ground.create("a"))).toBe(
    "500 Internal error occurred: failed to allocate a serviceIP: cannot allocate resources of type serviceipallocations at this time",
  );
  await ground.allocation.repair.start();
  await ground.create("a");
  await ground.allocation.repair.stop();
});

test("a lost record is rebuilt from the services", async () => {
  const ground = await createServiceGround();
  await ground.allocation.repair.repairOnce();
  await ground.create("a", { type: "LoadBalancer", externalTrafficPolicy: "Local" });
  await ground.kv.transact({
    compare: [],
    success: [{ kind: "delete", range: { start: "/registry/ranges/", end: "/registry/ranges0" } }],
    failure: [],
  });
  await ground.allocation.repair.repairOnce();
  expect(await ground.taken("serviceips")).toBe("10");
  expect(await ground.taken("servicenodeports")).toBe("11");
  expect(ground.findings).toEqual([]);
});

/** Takes what a server takes that dies before it stores its service. */
async function leaveBehind({ allocation }: Awaited<ReturnType<typeof createServiceGround>>): Promise<void> {
  await allocation.hooks.beforeCreate?.(
    {
      namespace: "ns",
      user: { name: "", uid: "", groups: [], extra: {} },
      now: new Date(0),
      dryRun: false,
      signal: new AbortController().signal,
      warn() {},
    },
    {
      metadata: { name: "lost", namespace: "ns" },
      spec: { type: "NodePort", ports: [{ port: 80, targetPort: 80, protocol: "TCP" }] },
      status: { loadBalancer: {} },
    },
  );
}

test("an item that no service has is freed once three repairs have seen it", async () => {
  const kv = new MemoryStore();
  const ground = await createServiceGround({ kv });
  await ground.allocation.repair.repairOnce();
  await leaveBehind(ground);
  const seen: string[] = [];
  for (let round = 0; round < 3; round++) {
    await ground.allocation.repair.repairOnce();
    seen.push(`${await ground.taken("serviceips")} ${await ground.taken("servicenodeports")}`);
  }
  expect(seen).toEqual(["10 1", "10 1", "0 0"]);
});

test("what a server left behind is free when the only server has started again", async () => {
  const kv = new MemoryStore();
  const before = await createServiceGround({ kv, isOnlyWriter: true });
  await before.allocation.repair.repairOnce();
  const kept = await before.create("kept", { type: "NodePort" });
  await leaveBehind(before);
  expect(await before.taken("servicenodeports")).toBe("11");
  const after = await createServiceGround({ kv, isOnlyWriter: true });
  await after.allocation.repair.start();
  expect(await after.taken("serviceips")).toBe("10");
  expect(await after.taken("servicenodeports")).toBe("1");
  expect(kept.spec.ports?.[0]?.nodePort).toBe(30_000);
  // The server itself writes now, so leaks are not freed at once.
  await leaveBehind(after);
  await after.clock.advance(repairIntervalMs);
  expect(await after.taken("servicenodeports")).toBe("11");
  await after.allocation.repair.stop();
});

test("where others write, what a server left behind is free soon after the start, not at once", async () => {
  const kv = new MemoryStore();
  const before = await createServiceGround({ kv });
  await before.allocation.repair.repairOnce();
  await leaveBehind(before);
  const after = await createServiceGround({ kv });
  await after.allocation.repair.start();
  const seen = [await after.taken("servicenodeports")];
  for (let round = 0; round < 2; round++) {
    await after.clock.advance(earlyIntervalMs);
    seen.push(await after.taken("servicenodeports"));
  }
  expect(seen).toEqual(["1", "1", "0"]);
  await after.allocation.repair.stop();
});

test("what services have but the record lacks is added and reported", async () => {
  const ground = await createServiceGround();
  await ground.allocation.repair.repairOnce();
  const object = await ground.create("a", { type: "NodePort" });
  for (const name of ["b", "c"]) {
    await ground.store.create(`ns/${name}`, {
      ...object,
      metadata: { name, namespace: "ns" },
      spec: {
        ...object.spec,
        clusterIP: "10.0.0.4",
        clusterIPs: ["10.0.0.4"],
        ports: [{ port: 80, targetPort: 80, protocol: "TCP", nodePort: 80 }],
      },
    });
  }
  await ground.allocation.repair.repairOnce();
  expect(ground.findings).toEqual([
    "ClusterIPNotAllocated: Cluster IP [IPv4]:10.0.0.4 is not allocated; repairing",
    "ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.0.0.4 was assigned to multiple services; please recreate service",
    "PortOutOfRange: Port 80 is not within the port range 30000-30007; please recreate service",
    "PortOutOfRange: Port 80 is not within the port range 30000-30007; please recreate service",
  ]);
  expect(await ground.taken("serviceips")).toBe("1010");
});

test("a new range takes the place of the old one", async () => {
  const kv = new MemoryStore();
  const before = await createServiceGround({ kv });
  await before.allocation.repair.repairOnce();
  await before.create("a");
  const after = await createServiceGround({ kv, ranges: ["10.1.0.0/29"] });
  await after.allocation.repair.repairOnce();
  expect(after.findings).toEqual([
    "ClusterIPOutOfRange: Cluster IP [IPv4]:10.0.0.2 is not within the service CIDR 10.1.0.0/29; please recreate service",
  ]);
  expect((await after.create("b")).spec.clusterIP).toBe("10.1.0.2");
});

test("repairs go on every three minutes until they are stopped, and survive a failure", async () => {
  let isBroken = false;
  let reads = 0;
  const kv = new MemoryStore({
    intercept(operation) {
      if (operation === "range") reads++;
      if (isBroken) throw new Error("broken");
    },
  });
  const ground = await createServiceGround({ kv, isOnlyWriter: true });
  const { repair } = ground.allocation;
  await repair.start();
  const settle = async (): Promise<void> => await ground.clock.advance(repairIntervalMs);
  isBroken = true;
  await settle();
  expect(ground.lines.join("")).toContain("the allocations of services could not be repaired");
  isBroken = false;
  const before = reads;
  await settle();
  expect(reads).toBeGreaterThan(before);
  await repair.stop();
  const afterStop = reads;
  await settle();
  expect(reads).toBe(afterStop);
});
