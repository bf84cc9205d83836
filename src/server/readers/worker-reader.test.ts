import { expect, test } from "vitest";
import { ForwardedRequests } from "../../serving/readers/forwarded-requests.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { silentLog } from "../../telemetry/testing/silent-log.js";
import { resolveOptions } from "../options/parse-options.js";
import { WorkerReader } from "./worker-reader.js";

test("a thread that cannot start tells only its caller why", async () => {
  const resolved = resolveOptions({}, { profile: "orch" });
  if (resolved.kind === "error") throw new Error(resolved.message);
  const kv = new MemoryStore();
  const reader = new WorkerReader({
    script: new URL("data:text/javascript,throw new Error('no room')"),
    settings: {
      options: resolved.options,
      given: new Set(),
      build: { version: "0", gitCommit: "", buildDate: "" },
      logLevel: silentLog.levels.memory,
      thread: "reader-1",
      port: 1,
    },
    duplicate: () => -1,
    stores: { kv, overrides: new Map() },
    forwarded: new ForwardedRequests(
      () => undefined,
      () => undefined,
    ),
    auditor: undefined,
    log: silentLog,
  });
  expect(await reader.ended).toMatchObject({ reason: "start", error: { message: "no room" } });
  // A rejection that nobody waits for would end this run, and a server.
  await new Promise((resolve) => setImmediate(resolve));
  await expect(reader.ready).rejects.toThrow("no room");
  await kv.close();
});
