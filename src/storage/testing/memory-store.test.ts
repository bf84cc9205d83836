import { describeKvContract } from "./kv-contract.js";
import { MemoryStore } from "./memory-store.js";

describeKvContract("memory", async () => {
  let now = 0;
  const store = new MemoryStore({ now: () => now });
  return {
    store,
    advance: async (milliseconds) => {
      now += milliseconds;
      await store.status();
    },
    close: () => store.close(),
  };
});
