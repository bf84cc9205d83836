import { gunzipSync } from "node:zlib";
import { Profile } from "pprof-format";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdConnections } from "../hostile/connection-attacks.js";
import { type Ground, openGround } from "../support/fixtures.js";

let ground: Ground;

beforeAll(async () => {
  ground = await openGround();
});

afterAll(() => ground.dispose());

const swordfish = "swordfish-in-a-secret";

test.each([
  ["heap", "inuse_space"],
  ["allocs", "alloc_space"],
  ["profile", "cpu"],
])(
  "%s is a sampling in pprof's format, beside half a request and without what objects hold",
  async (name, kind) => {
    const held = await holdConnections(ground.server.port, 2);
    const secret = { metadata: { name }, stringData: { word: swordfish } };
    await ground.api.post("/api/v1/namespaces/default/secrets", secret);
    const profiling = ground.api.get(`/debug/pprof/${name}?seconds=1`);
    // Something to see.
    for (let i = 0; i < 50; i++) {
      const data = Object.fromEntries(Array.from({ length: 500 }, (_, key) => [`k${key}`, "x".repeat(40)]));
      await ground.api.post("/api/v1/namespaces/default/configmaps", {
        metadata: { name: `${name}-${i}` },
        data,
      });
    }
    const answer = await profiling;
    held.close();
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    const bytes = gunzipSync(answer.bytes);
    expect(bytes.includes(swordfish)).toBe(false);
    const profile = Profile.decode(bytes);
    const { strings } = profile.stringTable;
    expect(profile.sampleType.map(({ type }) => strings[Number(type)])).toContain(kind);
    expect(profile.sample.length).toBeGreaterThan(0);
    expect(strings.some((text) => text.endsWith("main.cjs"))).toBe(true);
  },
);

test("one profile at a time, for a bounded time, and the next one after a client that left", async () => {
  const first = ground.api.get("/debug/pprof/profile?seconds=2");
  await expect.poll(async () => (await ground.api.get("/debug/pprof/heap?seconds=0.01")).status).toBe(429);
  expect((await first).status).toBe(200);
  for (const seconds of ["0", "-1", "x", "1e9"]) {
    expect((await ground.api.get(`/debug/pprof/heap?seconds=${seconds}`)).status).toBe(400);
  }
  const leaving = new AbortController();
  const left = ground.api
    .stream("/debug/pprof/profile?seconds=200", {}, leaving.signal)
    .next()
    .catch((error: Error) => error.name);
  await expect.poll(async () => (await ground.api.get("/debug/pprof/heap?seconds=0.01")).status).toBe(429);
  leaving.abort();
  expect(await left).toBe("AbortError");
  await expect.poll(async () => (await ground.api.get("/debug/pprof/heap?seconds=0.01")).status).toBe(200);
  expect(ground.server.output()).not.toContain("request failed");
});
