import { afterEach, expect, test } from "vitest";
import type { Lease, LeaseSpec } from "../../apis/gen/coordination-v1.js";
import type { LeaseCandidate } from "../../apis/gen/coordination-v1beta1.js";
import { systemClock } from "../../time/clock.js";
import { TestRegistries } from "../testing/registries.js";
import { CoordinatedLeaderElection } from "./coordinated-leader-election.js";
import { microTime } from "./election.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const begin = Date.parse("2026-01-02T03:04:05Z");

/** A cluster whose clock the test moves. */
function cluster() {
  const timers = new Set<{ at: number; readonly periodMs: number; readonly callback: () => void }>();
  let now = begin;
  const registries = new TestRegistries(["leases", "leasecandidates"], () => new Date(now), "1.35", {
    CoordinatedLeaderElection: true,
  });
  const clock = {
    ...systemClock,
    now: () => now,
    every(periodMs: number, callback: () => void) {
      const timer = { at: now + periodMs, periodMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  return {
    server(identity: string) {
      const server = new CoordinatedLeaderElection(
        { ...registries.context, clock },
        {
          namespace: "system",
          identity,
          leaseDurationMs: 15_000,
          renewDeadlineMs: 10_000,
          retryPeriodMs: 2000,
        },
      );
      ends.push(() => server.stop());
      return server;
    },
    pass(ms: number) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timer.at = now + timer.periodMs;
        timer.callback();
      }
    },
    async candidate(name: string, version: string, renewedAgoMs = 0) {
      await registries.create("leasecandidates", {
        metadata: { name, namespace: "ns" },
        spec: {
          leaseName: "l",
          binaryVersion: "1.35.0",
          emulationVersion: version,
          strategy: "OldestEmulationVersion",
          renewTime: microTime(now - renewedAgoMs),
        },
      });
    },
    async lease(namespace: string, name: string): Promise<LeaseSpec | undefined> {
      const found = await registries.of("leases").find(namespace, name, { kind: "mostRecent" });
      return found && (found.decode() as Lease).spec;
    },
    async candidateOf(name: string) {
      const found = await registries.of("leasecandidates").find("ns", name, { kind: "mostRecent" });
      return found && (found.decode() as LeaseCandidate).spec;
    },
  };
}

test("the candidate of the oldest version gets the lease, and any other holder is asked to release it", async () => {
  const { server, candidate, lease } = cluster();
  await server("s").start();
  await candidate("a", "1.35.0");
  await expect
    .poll(() => lease("ns", "l"))
    .toEqual({
      holderIdentity: "a",
      leaseDurationSeconds: 5,
      renewTime: microTime(begin),
      strategy: "OldestEmulationVersion",
    });
  await candidate("b", "1.34.0");
  await expect.poll(() => lease("ns", "l")).toMatchObject({ holderIdentity: "a", preferredHolder: "b" });
});

test("an expired lease gets a new holder once a silent candidate has not answered a ping", async () => {
  const { server, candidate, candidateOf, lease, pass } = cluster();
  await server("s").start();
  await candidate("a", "1.34.0");
  await expect.poll(() => lease("ns", "l")).toMatchObject({ holderIdentity: "a" });
  pass(6000);
  await expect.poll(() => candidateOf("a")).toMatchObject({ pingTime: microTime(begin + 6000) });
  pass(6000);
  await candidate("b", "1.35.0");
  await expect.poll(() => lease("ns", "l")).toMatchObject({ holderIdentity: "b" });
});

test("candidates that have gone are deleted", async () => {
  const { server, candidate, candidateOf } = cluster();
  await candidate("old", "1.34.0", 31 * 60_000);
  await candidate("new", "1.34.0", 29 * 60_000);
  await server("s").start();
  await expect.poll(() => candidateOf("old")).toBeUndefined();
  expect(await candidateOf("new")).toBeDefined();
});

test("one server elects, and another takes over when it stops or no longer renews", async () => {
  const { server, candidate, lease, pass } = cluster();
  const own = () => lease("system", "leader-election-controller");
  const first = server("first");
  const second = server("second");
  await first.start();
  await second.start();
  expect(await own()).toMatchObject({
    holderIdentity: "first",
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
  });
  await first.stop();
  expect(await own()).toMatchObject({ holderIdentity: "" });
  pass(2000);
  await expect.poll(own).toMatchObject({ holderIdentity: "second", leaseTransitions: 1 });
  await candidate("a", "1.35.0");
  await expect.poll(() => lease("ns", "l")).toMatchObject({ holderIdentity: "a" });
});
