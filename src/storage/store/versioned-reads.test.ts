import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { toRevision } from "../kv.js";
import { StorageError } from "../storage-error.js";
import { VersionedReads } from "./versioned-reads.js";

const waitMs = 3000;

/** Reads of a store at a revision that the test moves; it has compacted what is before `oldest`. */
function storeAt(revision: number, oldest = 1) {
  const clock = new ManualClock();
  const store = { revision, reads: 0 };
  const currentRevision = () => Promise.resolve(toRevision(store.revision));
  const reads = new VersionedReads({ currentRevision }, clock, waitMs);
  const newest = () => {
    store.reads++;
    return Promise.resolve({ revision: toRevision(store.revision) });
  };
  const exactly = (wanted: number) => async () => {
    store.reads++;
    if (wanted < oldest) throw new StorageError("Compacted", "compacted");
    if (wanted > store.revision) throw new StorageError("FutureRevision", "future");
    return { revision: toRevision(wanted) };
  };
  return { clock, store, reads, newest, exactly };
}

const exact = (revision: number) => ({ kind: "exact", revision: toRevision(revision) }) as const;
const notOlderThan = (revision: number) =>
  ({ kind: "notOlderThan", revision: toRevision(revision) }) as const;

test("a revision that has arrived is read once", async () => {
  const { reads, store, newest, exactly } = storeAt(5);
  expect(await reads.atLeast({ kind: "mostRecent" }, newest)).toEqual({ revision: 5 });
  expect(await reads.atLeast(notOlderThan(5), newest)).toEqual({ revision: 5 });
  expect(await reads.atLeast(exact(4), exactly(4))).toEqual({ revision: 4 });
  expect(store.reads).toBe(3);
});

test("a revision that has not arrived is polled until it has", async () => {
  const { clock, reads, store, newest, exactly } = storeAt(5);
  const asked = Promise.all([reads.atLeast(notOlderThan(6), newest), reads.atLeast(exact(6), exactly(6))]);
  await clock.advance(1000);
  store.revision = 6;
  await clock.advance(1000);
  expect(await asked).toEqual([{ revision: 6 }, { revision: 6 }]);
});

test("a revision that does not arrive in time is in the future", async () => {
  const { clock, reads, newest, exactly } = storeAt(5);
  const settled = Promise.allSettled([
    reads.atLeast(notOlderThan(8), newest),
    reads.atLeast(exact(8), exactly(8)),
  ]);
  await clock.advance(2 * waitMs);
  const reason = { code: "FutureRevision", message: "Too large resource version: 8, current: 5" };
  expect(await settled).toMatchObject([
    { status: "rejected", reason },
    { status: "rejected", reason },
  ]);
});

test("what was compacted is told in the words of clients", async () => {
  const { reads, exactly } = storeAt(5, 3);
  await expect(reads.atLeast(exact(2), exactly(2))).rejects.toMatchObject({
    code: "Compacted",
    message: "The resourceVersion for the provided list is too old.",
  });
});
