import { describe, expect, test } from "vitest";
import type { EndpointSubset } from "../apis/gen/core-v1.js";
import {
  countedSubsets,
  countReconciler,
  type EndpointReconciler,
  leasedSubsets,
  leaseReconciler,
  type SharedEndpoints,
} from "./api-service-reconcilers.js";

const https = [{ name: "https", port: 6443, protocol: "TCP" }];
const other = [{ name: "https", port: 443, protocol: "TCP" }];

function subset(addresses: readonly string[], ports = https): EndpointSubset {
  return { addresses: addresses.map((ip) => ({ ip })), ports };
}

/** The endpoints of a cluster, without a store. */
class FakeEndpoints implements SharedEndpoints {
  subsets: readonly EndpointSubset[] | undefined;

  async change(
    change: (current: readonly EndpointSubset[] | undefined) => readonly EndpointSubset[] | undefined,
  ): Promise<void> {
    this.subsets = change(this.subsets) ?? this.subsets;
  }

  get addresses(): readonly string[] {
    return (this.subsets ?? []).flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip));
  }
}

describe("lease", () => {
  test.each([
    ["no endpoints yet", undefined, true, [subset(["1.1.1.1", "1.1.1.2"])]],
    ["a server that is gone", [subset(["1.1.1.3"])], true, [subset(["1.1.1.1", "1.1.1.2"])]],
    ["other ports, which stay", [subset([], other)], false, [subset(["1.1.1.1", "1.1.1.2"], other)]],
    ["other ports, put right", [subset([], other)], true, [subset(["1.1.1.1", "1.1.1.2"])]],
    [
      "subsets of someone else's making",
      [subset(["1.1.1.1"], other), subset(["1.1.1.2"])],
      false,
      [subset(["1.1.1.1", "1.1.1.2"])],
    ],
  ])("writes down exactly what is listed over %s", (_name, current, withPorts, expected) => {
    expect(leasedSubsets(current, ["1.1.1.2", "1.1.1.1", "1.1.1.2"], https, withPorts)).toEqual(expected);
  });

  test("servers come and go; the last one stays, so that the list is never empty", async () => {
    const endpoints = new FakeEndpoints();
    const listed = new Set<string>();
    const addresses = {
      renew: async (address: string) => void listed.add(address),
      list: async () => [...listed],
      remove: async (address: string) => void listed.delete(address),
    };
    const server = (address: string) =>
      leaseReconciler({ endpoints, address, ports: () => https }, addresses);
    const [first, second] = [server("1.1.1.1"), server("1.1.1.2")];
    await first.reconcile(true);
    await second.reconcile(true);
    expect(endpoints.addresses).toEqual(["1.1.1.1", "1.1.1.2"]);
    await first.remove();
    expect(endpoints.addresses).toEqual(["1.1.1.2"]);
    await second.remove();
    expect(endpoints.addresses).toEqual(["1.1.1.2"]);
    // A killed server's entry has expired.
    await first.reconcile(false);
    listed.delete("1.1.1.1");
    await second.reconcile(false);
    expect(endpoints.addresses).toEqual(["1.1.1.2"]);
  });
});

test("an empty list from the store, without the server that has just registered, is ignored", async () => {
  const endpoints = new FakeEndpoints();
  endpoints.subsets = [subset(["1.1.1.1"])];
  const addresses = { renew: async () => {}, list: async () => [], remove: async () => {} };
  const server = leaseReconciler({ endpoints, address: "1.1.1.1", ports: () => https }, addresses);
  await expect(server.reconcile(false)).rejects.toThrow(/no addresses of API servers were listed/);
  expect(endpoints.addresses).toEqual(["1.1.1.1"]);
});

describe("master-count", () => {
  const counted = (
    current: readonly EndpointSubset[] | undefined,
    address: string,
    count: number,
    withPorts = true,
  ) => countedSubsets(current, { address, ports: https, count, withPorts });

  test.each([
    ["no endpoints yet", undefined, "2", 2, [subset(["2"])]],
    ["room for one more", [subset(["3"])], "2", 2, [subset(["2", "3"])]],
    ["itself already", [subset(["2", "3"])], "2", 2, [subset(["2", "3"])]],
    ["too many: those behind it go", [subset(["1", "2", "3"])], "2", 2, [subset(["1", "2"])]],
    ["too many, itself last: the first goes", [subset(["1", "2"])], "3", 2, [subset(["2", "3"])]],
    ["no room for anyone else", [subset(["1", "3"])], "2", 1, [subset(["2"])]],
    ["subsets of someone else's making", [subset(["1"]), subset(["2"])], "3", 2, [subset(["3"])]],
  ])("registers itself over %s", (_name, current, address, count, expected) => {
    expect(counted(current, address, count)).toEqual(expected);
  });

  test("ports are reconciled only when requested", () => {
    expect(counted([subset(["1"], other)], "1", 1, false)).toEqual([subset(["1"], other)]);
    expect(counted([subset(["1"], other)], "1", 1, true)).toEqual([subset(["1"])]);
  });

  test("a server removes itself when it stops cleanly, and only then", async () => {
    const endpoints = new FakeEndpoints();
    const server = (address: string): EndpointReconciler =>
      countReconciler({ endpoints, address, ports: () => https }, 2);
    const [first, second] = [server("1"), server("2")];
    await second.remove();
    expect(endpoints.subsets).toBeUndefined();
    await first.reconcile(true);
    await second.reconcile(true);
    expect(endpoints.addresses).toEqual(["1", "2"]);
    await first.remove();
    expect(endpoints.addresses).toEqual(["2"]);
    await second.remove();
    expect(endpoints.subsets).toEqual([]);
  });
});
