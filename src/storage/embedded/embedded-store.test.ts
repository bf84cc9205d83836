import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeKvContract } from "../testing/kv-contract.js";
import type { KvSubject } from "../testing/kv-ground.js";
import { ManualClock } from "../testing/manual-clock.js";
import { type EmbeddedStore, openEmbeddedStore } from "./embedded-store.js";

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
