import { afterEach, expect, test, vi } from "vitest";
import { LocalApiServices } from "../../src/aggregation/local-api-services.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { openApiGround } from "./api-ground.js";

afterEach(() => {
  vi.useRealTimers();
});

test("a later start writes no API service again", async () => {
  const store = new MemoryStore();
  const start = async (now: string): Promise<readonly number[]> => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    const { server, dispose } = await openApiGround({ apiLevel: "1.36" }, store);
    const registration = server.controllers.find((each) => each instanceof LocalApiServices);
    await registration?.start();
    await registration?.stop();
    await dispose();
    const { kvs } = await store.range({
      start: "/registry/apiregistration",
      end: "/registry/apiregistration0",
    });
    expect(kvs.map(({ key }) => key)).not.toContainEqual(expect.stringContaining("/v1.apiregistration."));
    return kvs.map(({ modRevision }) => modRevision);
  };
  const first = await start("2026-01-01T00:00:00Z");
  expect(first.length).toBeGreaterThan(10);
  expect(await start("2026-01-02T00:00:00Z")).toEqual(first);
});
