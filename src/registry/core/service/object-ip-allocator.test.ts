import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import type { IPAddress } from "../../../apis/gen/networking-v1.js";
import { AddressObjectRepair } from "./address-object-repair.js";
import { addressNumber, isWithin, parseAddressRanges } from "./address-range.js";
import { AddressSet } from "./address-set.js";
import { type AddressHolders, ObjectIpAllocator } from "./object-ip-allocator.js";
import type { RepairFinding } from "./repair.js";

function serviceOf(name: string, ...clusterIPs: string[]): Service {
  return {
    metadata: { name, namespace: "ns" },
    spec: { type: "ClusterIP", clusterIPs },
    status: { loadBalancer: {} },
  };
}

/** Objects by address, which become visible only after a turn of the event loop. */
function heldAddresses() {
  const stored = new Map<string, IPAddress>();
  const seen = { IPv4: new AddressSet(), IPv6: new AddressSet() };
  const holders: AddressHolders = {
    firstFree: (family, first, last) => seen[family].firstMissing(first, last),
    async create(address, family, { metadata: { name = "", namespace = "" } }) {
      await nextTurn();
      if (stored.has(address)) return false;
      const creationTimestamp = "2022-01-01T00:00:00Z";
      const parentRef = { resource: "services", namespace, name };
      stored.set(address, { metadata: { name: address, creationTimestamp }, spec: { parentRef } });
      await nextTurn();
      seen[family].add(addressNumber(address) ?? 0n);
      return true;
    },
    async remove(address) {
      stored.delete(address);
      seen[ipFamilyOf(address) ?? "IPv4"].delete(addressNumber(address) ?? 0n);
    },
    count: (range) => [...stored.keys()].filter((address) => isWithin(range, address)).length,
  };
  return { stored, holders };
}

function ground({ cidrs = ["10.0.0.0/29"], reserved = "10.0.0.1" } = {}) {
  const held = heldAddresses();
  const counts = { allocated: 0, failed: 0 };
  const usages = new Map<string, () => unknown>();
  const known = parseAddressRanges(cidrs);
  const clusterIps = new ObjectIpAllocator({
    family: known[0]?.family ?? "IPv4",
    holders: held.holders,
    ranges: () => known,
    reserved,
    random: () => 0,
    observe: (range) => ({
      allocated: () => void counts.allocated++,
      failed: () => void counts.failed++,
      follow: (usage) => void usages.set(range, usage),
    }),
  });
  const any = (dryRun = false) => clusterIps.allocateAny({ service: serviceOf("s"), dryRun });
  const one = (address: string, dryRun = false) =>
    clusterIps.allocate(address, { service: serviceOf("s"), dryRun });
  return { ...held, clusterIps, counts, usages, any, one };
}

test("of writers that want an address at the same time, each gets another one", async () => {
  const { any, stored, counts, usages } = ground();
  const given = await Promise.all(Array.from({ length: 5 }, () => any()));
  expect(new Set(given)).toEqual(new Set(["10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6"]));
  await expect(any()).rejects.toThrow("range is full");
  expect(stored.size).toBe(5);
  expect(counts).toEqual({ allocated: 5, failed: 1 });
  expect(usages.get("10.0.0.0/29")?.()).toEqual({ taken: 5, free: 1 });
});

test("one of several gets the address that all ask for, in whatever form", async () => {
  const { one } = ground({ cidrs: ["2001:db8::/112"] });
  const asked = ["2001:db8::7", "2001:DB8::7", "2001:db8:0::7"].map((address) => one(address));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(one("2001:db8::7")).rejects.toThrow("provided IP is already allocated");
});

test.each(["10.0.0.0", "10.0.0.7", "10.0.1.1", "10.0.0.9", "::1"])("%s is in no range", async (address) => {
  await expect(ground().one(address)).rejects.toThrow(
    "the provided network does not match the current range",
  );
});

test("addresses come from the upper part of a range first, and from the next range when it is full", async () => {
  const { any, stored } = ground({ cidrs: ["10.0.0.0/27", "10.1.0.0/30"] });
  const given: string[] = [];
  for (let count = 0; count < 31; count++) given.push(await any());
  expect(given.slice(0, 3)).toEqual(["10.0.0.17", "10.0.0.18", "10.0.0.19"]);
  expect(given.slice(14, 16)).toEqual(["10.0.0.2", "10.0.0.3"]);
  expect(given.slice(-2)).toEqual(["10.1.0.1", "10.1.0.2"]);
  await expect(any()).rejects.toThrow("range is full");
  expect(stored.size).toBe(31);
});

test("a dry run takes nothing", async () => {
  const { any, one, stored } = ground();
  expect(await any(true)).toBe("10.0.0.0");
  await one("10.0.0.3", true);
  expect(stored.size).toBe(0);
  await one("10.0.0.3");
  await one("10.0.0.3", true);
  await expect(one("10.1.0.3", true)).rejects.toThrow(
    /^the provided IP \(10\.1\.0\.3\) is not in the valid range\. The range of valid IPs is 10\.0\.0\.0\/\d+$/,
  );
});

test("a range of any size can be given from, and what is released is free again", async () => {
  const { any, one, clusterIps, stored } = ground({ cidrs: ["2001:db8::/64"], reserved: "2001:db8::1" });
  expect(await any()).toBe("2001:db8::101");
  await one("2001:db8::ffff:ffff:ffff:ffff");
  await clusterIps.release("2001:db8:0::ffff:ffff:ffff:ffff");
  await clusterIps.release("2001:db8::5");
  expect([...stored.keys()]).toEqual(["2001:db8::101"]);
});

function repairOf(services: readonly Service[], now = "2022-01-01T00:00:30Z") {
  const held = heldAddresses();
  const findings: RepairFinding[] = [];
  const repair = new AddressObjectRepair({
    holders: held.holders,
    listServices: async () => services,
    listAddresses: async () => [...held.stored.values()],
    listRanges: async () => parseAddressRanges(["10.0.0.0/24"]),
    now: () => Date.parse(now),
    report: (finding) => void findings.push(finding),
  });
  const said = () => findings.map(({ reason, service }) => `${service.metadata.name}: ${reason}`);
  return { ...held, repair, said };
}

test("services of a store with other records get their objects", async () => {
  const { repair, stored, said } = repairOf([
    serviceOf("a", "10.0.0.3", "fd00::1"),
    serviceOf("headless", "None"),
  ]);
  await repair.repairOnce(true);
  expect([...stored.keys()]).toEqual(["10.0.0.3", "fd00::1"]);
  expect(said()).toEqual(["a: ClusterIPOutOfRange"]);
});

test("what services have is repaired, and what none has goes when it is old enough", async () => {
  const services = [serviceOf("a", "10.0.0.3"), serviceOf("b", "10.0.0.3"), serviceOf("c", "10.0.0.4")];
  const young = repairOf(services);
  for (const address of ["10.0.0.3", "10.0.0.9"]) {
    await young.holders.create(address, "IPv4", serviceOf("a"));
  }
  await young.repair.repairOnce();
  expect([...young.stored.keys()]).toEqual(["10.0.0.3", "10.0.0.9", "10.0.0.4"]);
  expect(young.said()).toEqual(["b: ClusterIPAlreadyAllocated", "c: ClusterIPNotAllocated"]);
  const old = repairOf(services, "2022-01-01T00:01:01Z");
  await old.holders.create("10.0.0.9", "IPv4", serviceOf("a"));
  await old.repair.repairOnce();
  expect([...old.stored.keys()]).toEqual(["10.0.0.3", "10.0.0.4"]);
});
