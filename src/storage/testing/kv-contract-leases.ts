import { describe, expect, test } from "vitest";
import { describeEvent, type KvGround } from "./kv-ground.js";

export function describeLeases(ground: () => KvGround): void {
  describe("leases", () => {
    test("a key names the lease it was written with", async () => {
      const lease = await ground().store.grantLease(1000);
      expect(lease).not.toBe(0n);
      await ground().put("a", "1", lease);
      expect((await ground().get("a"))?.lease).toBe(lease);
      await ground().put("a", "2");
      expect((await ground().get("a"))?.lease).toBe(0n);
    });

    test("revoking one deletes its keys at one revision", async () => {
      const lease = await ground().store.grantLease(1000);
      await ground().put("a", "1", lease);
      await ground().put("b", "2", lease);
      await ground().put("moved", "3", lease);
      await ground().put("moved", "4");
      const before = await ground().put("other", "5");
      const watch = ground().watch();
      await ground().store.revokeLease(lease);

      const batch = await watch.nextEvents();
      expect(batch.revision).toBe(before + 1);
      expect(batch.events.map((event) => describeEvent(ground(), event)).sort()).toEqual([
        "delete a (was 1)",
        "delete b (was 2)",
      ]);
      expect(await ground().contents()).toEqual({ moved: "4", other: "5" });
    });

    test("revoking one without keys leaves the revision", async () => {
      const before = await ground().put("a", "1");
      await ground().store.revokeLease(await ground().store.grantLease(1000));
      expect(await ground().store.currentRevision()).toBe(before);
    });

    test("an unknown one is refused", async () => {
      const gone = await ground().store.grantLease(1000);
      await ground().store.revokeLease(gone);
      const refused = { name: "StorageError", code: "KeyNotFound" };
      await expect(ground().put("a", "1", gone)).rejects.toMatchObject(refused);
      await expect(ground().store.keepLeaseAlive(gone)).rejects.toMatchObject(refused);
      await expect(ground().store.revokeLease(gone)).rejects.toMatchObject(refused);
      expect(await ground().contents()).toEqual({});
    });

    test("one that runs out deletes its keys, with events", async () => {
      const lease = await ground().store.grantLease(2);
      const other = await ground().store.grantLease(1000);
      await ground().put("a", "1", lease);
      await ground().put("b", "2", lease);
      await ground().put("kept", "3", other);
      const watch = ground().watch();
      await ground().advance(2500);
      const seen: string[] = [];
      while (seen.length < 2) {
        const { events } = await watch.nextEvents();
        seen.push(...events.map((event) => describeEvent(ground(), event)));
      }
      expect(seen.sort()).toEqual(["delete a (was 1)", "delete b (was 2)"]);
      expect(await ground().contents()).toEqual({ kept: "3" });
    });

    test("keeping one alive starts its time again", async () => {
      const lease = await ground().store.grantLease(4);
      await ground().put("a", "1", lease);
      for (let round = 0; round < 3; round++) {
        await ground().advance(2000);
        expect(await ground().store.keepLeaseAlive(lease)).toBe(4);
      }
      expect(await ground().contents()).toEqual({ a: "1" });
    });

    test("outlive a restart, with their keys", async ({ skip }) => {
      if (ground().subject.reopen === undefined) skip("nothing to open again");
      const lease = await ground().store.grantLease(4);
      await ground().put("a", "1", lease);
      await ground().put("b", "2");
      await ground().reopen();
      expect(await ground().store.keepLeaseAlive(lease)).toBe(4);
      expect(await ground().store.grantLease(4)).not.toBe(lease);
      const watch = ground().watch();
      await ground().advance(4500);
      const { events } = await watch.nextEvents();
      expect(events.map((event) => describeEvent(ground(), event))).toEqual(["delete a (was 1)"]);
      expect(await ground().contents()).toEqual({ b: "2" });
    });
  });
}
