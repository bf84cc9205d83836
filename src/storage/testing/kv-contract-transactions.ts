import { describe, expect, test } from "vitest";
import { noRevision, type Operation, toRevision } from "../kv.js";
import { type KvGround, toText } from "./kv-ground.js";

/** The largest request: etcd's default `--max-request-bytes`. */
const requestBytesMax = 1.5 * 1024 * 1024;

export function describeTransactions(ground: () => KvGround): void {
  describe("revisions", () => {
    test("each writing transaction raises the revision by one", async () => {
      const before = await ground().store.currentRevision();
      expect(await ground().put("a", "1")).toBe(before + 1);
      expect(await ground().put("b", "1")).toBe(before + 2);
      expect(await ground().delete("a")).toBe(before + 3);
      expect(await ground().store.currentRevision()).toBe(before + 3);
    });

    test("what changes nothing does not raise the revision", async () => {
      const before = await ground().put("a", "1");
      expect(await ground().delete("absent")).toBe(before);
      expect((await ground().transact()).revision).toBe(before);
      const read = await ground().transact({ kind: "range", range: ground().all() });
      expect(read.revision).toBe(before);
      const failed = await ground().compareAndPut("a", noRevision, "2");
      expect(failed.revision).toBe(before);
      expect(await ground().store.currentRevision()).toBe(before);
    });

    test("all keys of a transaction change at its one revision", async () => {
      const { revision } = await ground().transact(
        ground().putOperation("a", "1"),
        ground().putOperation("b", "2"),
        ground().putOperation("c", "3"),
      );
      const { kvs } = await ground().store.range(ground().all());
      expect(kvs.map((kv) => kv.modRevision)).toEqual([revision, revision, revision]);
    });

    test("a key counts its versions from its creation", async () => {
      const created = await ground().put("a", "1");
      const changed = await ground().put("a", "2");
      expect(await ground().get("a")).toMatchObject({
        createRevision: created,
        modRevision: changed,
        version: 2,
        lease: 0n,
      });
      await ground().delete("a");
      expect(await ground().get("a")).toBeUndefined();
      const again = await ground().put("a", "3");
      expect(await ground().get("a")).toMatchObject({
        createRevision: again,
        modRevision: again,
        version: 1,
      });
    });

    test("writing the same value is a change", async () => {
      const first = await ground().put("a", "same");
      expect(await ground().put("a", "same")).toBe(first + 1);
      expect((await ground().get("a"))?.version).toBe(2);
    });
  });

  describe("compare", () => {
    test("a key that does not exist has revision 0 and version 0", async () => {
      const result = await ground().store.transact({
        compare: [
          { key: ground().key("a"), target: "mod", revision: noRevision },
          { key: ground().key("a"), target: "version", version: 0 },
        ],
        success: [ground().putOperation("a", "1")],
        failure: [],
      });
      expect(result).toMatchObject({ succeeded: true, results: [{ kind: "put" }] });
      expect(await ground().contents()).toEqual({ a: "1" });
    });

    test("a deleted key is absent again", async () => {
      await ground().put("a", "1");
      await ground().delete("a");
      expect((await ground().compareAndPut("a", noRevision, "2")).succeeded).toBe(true);
    });

    test("an outdated revision runs the other branch, which sees the newest state", async () => {
      const old = await ground().put("a", "1");
      const newest = await ground().put("a", "2");
      const result = await ground().compareAndPut("a", old, "3");
      expect(result.succeeded).toBe(false);
      const [read] = result.results;
      if (read?.kind !== "range") throw new Error("expected a range result");
      expect(read.result.kvs.map((kv) => [toText(kv.value), kv.modRevision])).toEqual([["2", newest]]);
      expect(await ground().contents()).toEqual({ a: "2" });
    });

    test("the other branch may write", async () => {
      await ground().put("a", "1");
      const result = await ground().store.transact({
        compare: [{ key: ground().key("a"), target: "version", version: 7 }],
        success: [ground().putOperation("a", "success")],
        failure: [ground().putOperation("b", "failure")],
      });
      expect(result.succeeded).toBe(false);
      expect(await ground().contents()).toEqual({ a: "1", b: "failure" });
    });

    test("one that does not hold is enough to fail", async () => {
      const revision = await ground().put("a", "1");
      const result = await ground().store.transact({
        compare: [
          { key: ground().key("a"), target: "mod", revision },
          { key: ground().key("a"), target: "version", version: 2 },
        ],
        success: [ground().putOperation("a", "2")],
        failure: [],
      });
      expect(result.succeeded).toBe(false);
      expect(await ground().contents()).toEqual({ a: "1" });
    });
  });

  describe("operations", () => {
    test("give their results in order, each seeing what the ones before it did", async () => {
      await ground().put("b", "old");
      const read: Operation = { kind: "range", range: ground().all() };
      const { results } = await ground().transact(
        read,
        ground().putOperation("a", "1"),
        ground().deleteOperation("b"),
        read,
        ground().deleteOperation("absent"),
      );
      const names = results.map((result) => {
        if (result.kind === "range") return result.result.kvs.map((kv) => ground().name(kv.key)).join();
        return result.kind === "delete" ? result.deleted : "put";
      });
      expect(names).toEqual(["b", "put", 1, "a", 0]);
    });

    test("a range sees the revision that the transaction is about to make", async () => {
      const { revision, results } = await ground().transact(ground().putOperation("a", "1"), {
        kind: "range",
        range: { start: ground().key("a") },
      });
      const read = results[1];
      if (read?.kind !== "range") throw new Error("expected a range result");
      expect(read.result.kvs[0]).toMatchObject({
        modRevision: revision,
        createRevision: revision,
        version: 1,
      });
    });

    test("a key is written once in a transaction, or nothing is", async () => {
      const before = await ground().store.currentRevision();
      await expect(
        ground().transact(ground().putOperation("a", "1"), ground().putOperation("a", "2")),
      ).rejects.toThrow();
      await expect(
        ground().transact(ground().putOperation("a", "1"), ground().deleteOperation("a")),
      ).rejects.toThrow();
      expect(await ground().store.currentRevision()).toBe(before);
      expect(await ground().contents()).toEqual({});
    });

    test("a range is deleted at one revision and counted", async () => {
      await ground().put("x/1", "1");
      await ground().put("x/2", "2");
      await ground().put("y", "3");
      const { results } = await ground().transact({ kind: "delete", range: ground().under("x/") });
      expect(results).toEqual([{ kind: "delete", deleted: 2 }]);
      expect(await ground().contents()).toEqual({ y: "3" });
    });

    test("an empty range deletes nothing", async () => {
      await ground().put("a", "1");
      await ground().put("b", "2");
      const { results } = await ground().transact({
        kind: "delete",
        range: { start: ground().key("b"), end: ground().key("a") },
      });
      expect(results).toEqual([{ kind: "delete", deleted: 0 }]);
      expect(await ground().contents()).toEqual({ a: "1", b: "2" });
    });
  });

  describe("values", () => {
    test("any bytes come back as they were", async () => {
      const value = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      await ground().put("bytes", value);
      await ground().put("empty", "");
      expect(Buffer.from((await ground().get("bytes"))?.value ?? [])).toEqual(Buffer.from(value));
      expect((await ground().get("empty"))?.value.length).toBe(0);
      expect((await ground().get("empty"))?.version).toBe(1);
    });

    test("the caller may reuse the buffer it wrote", async () => {
      const value = Buffer.from("first");
      const watch = ground().watch();
      await ground().put("a", value);
      value.write("later");
      const batch = await watch.nextEvents();
      expect(batch.events.map((event) => toText(event.kv.value))).toEqual(["first"]);
      expect(await ground().contents()).toEqual({ a: "first" });
    });

    test("a value of 1 MiB is kept, read back and delivered", async () => {
      const value = Buffer.alloc(1024 * 1024, "0123456789abcdef");
      const watch = ground().watch();
      await ground().put("big", value);
      expect(value.equals((await ground().get("big"))?.value ?? new Uint8Array())).toBe(true);
      const batch = await watch.nextEvents();
      expect(value.equals(batch.events[0]?.kv.value ?? new Uint8Array())).toBe(true);
    });

    test("a request above 1.5 MiB is TooLarge and does no harm", async () => {
      for (const bytes of [requestBytesMax + 1, requestBytesMax * 2]) {
        await expect(ground().put("huge", Buffer.alloc(bytes))).rejects.toMatchObject({
          name: "StorageError",
          code: "TooLarge",
        });
      }
      await ground().put("a", "1");
      expect(await ground().contents()).toEqual({ a: "1" });
    });
  });

  describe("the store", () => {
    test("tells its revision and size", async () => {
      const revision = await ground().put("a", "1");
      const status = await ground().store.status();
      expect(status.revision).toBe(revision);
      expect(status.dbBytes).toBeGreaterThan(0);
      expect(status.compactedRevision).toBeLessThanOrEqual(revision);
    });

    test("keeps everything when it is closed and opened again", async ({ skip }) => {
      if (ground().subject.reopen === undefined) skip("nothing to open again");
      const created = await ground().put("a", "1");
      const changed = await ground().put("a", "2", await ground().store.grantLease(1000));
      await ground().put("b", "3");
      const deleted = await ground().delete("b");
      const before = await ground().get("a");

      await ground().reopen();

      expect(await ground().store.currentRevision()).toBe(deleted);
      expect(await ground().get("a")).toEqual(before);
      expect(before?.modRevision).toBe(changed);
      expect(await ground().contents(toRevision(deleted - 1))).toEqual({ a: "2", b: "3" });
      expect((await ground().history(created, deleted)).length).toBe(4);
      expect(await ground().put("c", "4")).toBe(deleted + 1);
    });

    test("refuses work once closed", async ({ skip }) => {
      if (ground().subject.reopen === undefined) skip("nothing to open again");
      const watch = ground().watch();
      const pending = watch.next();
      pending.catch(() => undefined);
      await ground().store.close();
      await expect(pending).rejects.toMatchObject({ code: "Unavailable" });
      await expect(ground().put("a", "1")).rejects.toMatchObject({ code: "Unavailable" });
      await expect(ground().store.range(ground().all())).rejects.toMatchObject({ code: "Unavailable" });
      await expect(ground().watch().next()).rejects.toMatchObject({ code: "Unavailable" });
    });
  });
}
