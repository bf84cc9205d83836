import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { StorageError } from "../storage-error.js";
import { MemoryStore } from "../testing/memory-store.js";
import { LeaseReuse } from "./lease-reuse.js";

function setUp(objectsMax?: number): {
  readonly clock: ManualClock;
  readonly granted: number[];
  readonly kv: MemoryStore;
  readonly leases: LeaseReuse;
  readonly replaced: number[];
} {
  const clock = new ManualClock();
  const kv = new MemoryStore({ now: () => clock.now() });
  const granted: number[] = [];
  const grant = kv.grantLease.bind(kv);
  kv.grantLease = (ttlSeconds) => {
    granted.push(ttlSeconds);
    return grant(ttlSeconds);
  };
  const replaced: number[] = [];
  const leases = new LeaseReuse({
    kv,
    clock,
    reuseDurationSeconds: 60,
    objectsMax,
    replaced: (objects) => void replaced.push(objects),
  });
  return { clock, granted, kv, leases, replaced };
}

test("objects share a lease while it lasts longer than their TTL", async () => {
  const { clock, granted, leases } = setUp();
  const first = await leases.lease(3600);
  expect(granted).toEqual([3660]);
  await clock.advance(59_000);
  expect(await leases.lease(3600)).toBe(first);
  await clock.advance(1000);
  expect(await leases.lease(3600)).not.toBe(first);
  expect(granted).toEqual([3660, 3660]);
});

test("a short TTL is stretched by five percent at most", async () => {
  const { granted, leases } = setUp();
  await leases.lease(100);
  await leases.lease(10);
  expect(granted).toEqual([105, 10]);
});

test("many at once take one lease, up to its limit of objects", async () => {
  const { granted, leases, replaced } = setUp(10);
  const taken = await Promise.all(Array.from({ length: 25 }, () => leases.lease(3600)));
  const counts = new Map<bigint, number>();
  for (const lease of taken) counts.set(lease, (counts.get(lease) ?? 0) + 1);
  expect([...counts.values()].sort()).toEqual([10, 10, 5]);
  expect(replaced).toEqual([10, 10]);
  expect(granted).toHaveLength(3);
});

test("TTLs do not push out each other's lease", async () => {
  const { granted, leases } = setUp();
  const events = await leases.lease(3600);
  await leases.lease(7200);
  expect(await leases.lease(3600)).toBe(events);
  expect(granted).toHaveLength(2);
});

test("a lease that could not be granted is requested again", async () => {
  const { kv, leases } = setUp();
  const grant = kv.grantLease;
  kv.grantLease = () => Promise.reject(new StorageError("Unavailable", "gone"));
  await expect(leases.lease(100)).rejects.toMatchObject({ code: "Unavailable" });
  kv.grantLease = grant;
  await leases.lease(100);
});
