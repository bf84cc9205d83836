import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../../time/manual-clock.js";
import { openEmbeddedStore } from "../embedded/embedded-store.js";
import { MemoryStore } from "./memory-store.js";
import { describeObjectStoreContract } from "./object-store-contract.js";
import {
  type OpenedKv,
  openCachedSubject,
  openPlainSubject,
  withoutLocalCommits,
} from "./object-store-subjects.js";

async function openMemory(): Promise<OpenedKv> {
  const clock = new ManualClock();
  const kv = new MemoryStore({ now: () => clock.now() });
  return { kv, clock, close: () => kv.close() };
}

async function openRemote(): Promise<OpenedKv> {
  const { kv, ...rest } = await openMemory();
  return { ...rest, kv: withoutLocalCommits(kv) };
}

async function openEmbedded(): Promise<OpenedKv> {
  const directory = await mkdtemp(join(tmpdir(), "object-store-"));
  const clock = new ManualClock();
  const kv = await openEmbeddedStore({ directory, clock });
  return {
    kv,
    clock,
    close: async () => {
      await kv.close();
      await rm(directory, { recursive: true });
    },
  };
}

describeObjectStoreContract("the store over memory", () => openPlainSubject(openMemory));
describeObjectStoreContract("the store over the embedded engine", () => openPlainSubject(openEmbedded));
describeObjectStoreContract("the cache fed by commits", () => openCachedSubject(openMemory));
describeObjectStoreContract("the cache fed by watches", () => openCachedSubject(openRemote));
describeObjectStoreContract("the cache over the embedded engine", () => openCachedSubject(openEmbedded));
