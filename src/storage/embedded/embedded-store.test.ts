import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import type { RangeResult } from "../kv.js";
import { describeKvContract } from "../testing/kv-contract.js";
import type { KvSubject } from "../testing/kv-ground.js";
import { type EmbeddedStore, openEmbeddedStore } from "./embedded-store.js";
import { dataFileName } from "./lmdb-tables.js";
import { logFileName } from "./write-ahead-log.js";

async function openSubject(): Promise<KvSubject> {
  const directory = await mkdtemp(join(tmpdir(), "embedded-"));
  const clock = new ManualClock();
  let store: EmbeddedStore = await openEmbeddedStore({ directory, clock });
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openEmbeddedStore({ directory, clock });
      return store;
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: async () => {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

describeKvContract("embedded", openSubject);

/** Opens a copy of what is on disk while the store is in use, as after a crash. */
async function openCrashing(): Promise<KvSubject> {
  const base = await mkdtemp(join(tmpdir(), "embedded-crash-"));
  const clock = new ManualClock();
  const opened: EmbeddedStore[] = [];
  const directory = (): string => join(base, String(opened.length));
  const open = async (): Promise<EmbeddedStore> => {
    const store = await openEmbeddedStore({ directory: directory(), clock });
    opened.push(store);
    return store;
  };
  return {
    store: await open(),
    reopen: async () => {
      const source = join(base, String(opened.length - 1));
      await mkdir(directory());
      // The log first: commits that a checkpoint moves meanwhile are in the tables then.
      for (const name of [logFileName, dataFileName]) {
        await copyFile(join(source, name), join(directory(), name)).catch(() => undefined);
      }
      return open();
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: async () => {
      for (const store of opened) await store.close();
      await rm(base, { recursive: true });
    },
  };
}

describeKvContract("embedded, after a crash", openCrashing);

/**
 * LMDB starts a commit in the check phase of one event turn and reports it in the poll phase of a later one; timers between the two
 * can already read it from disk.
 */
test("a read shows nothing that the listeners and watches have not been told of", async () => {
  const { store, close } = await openSubject();
  let told = await store.currentRevision();
  (store as EmbeddedStore).onCommit((_events, revision) => {
    told = revision;
  });
  const put = { kind: "put" as const, key: "/a", value: Buffer.from("x") };
  for (let round = 0; round < 5; round++) {
    const write = store.transact({ compare: [], success: [put], failure: [] });
    for (let step = 0; step < 10; step++) await Promise.resolve();
    const read = new Promise<{ result: RangeResult; told: number }>((resolve, reject) => {
      setImmediate(() => {
        setTimeout(() => store.range({ start: "/a" }).then((result) => resolve({ result, told }), reject), 0);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      });
    });
    const { result, told: toldThen } = await read;
    expect(toldThen).toBe(result.revision);
    expect(result.kvs[0]?.modRevision).toBe(result.revision);
    await write;
  }
  await close();
});
