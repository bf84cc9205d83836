import { gunzipSync } from "node:zlib";
import { Profile } from "pprof-format";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdConnections } from "../hostile/connection-attacks.js";
import { ApiClient } from "../support/api-client.js";
import { type Ground, openGround } from "../support/fixtures.js";

let ground: Ground;

beforeAll(async () => {
  ground = await openGround(["--contention-profiling"]);
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
    expect(strings.some((text) => text.endsWith("program.cjs"))).toBe(true);
  },
);

test("goroutine counts what the process waits for, by kind, in pprof's format and as text", async () => {
  const held = await holdConnections(ground.server.port, 3);
  const answer = await ground.api.get("/debug/pprof/goroutine");
  const profile = Profile.decode(gunzipSync(answer.bytes));
  const { strings } = profile.stringTable;
  const { text } = await ground.api.get("/debug/pprof/goroutine?debug=1");
  held.close();
  expect(profile.sampleType.map(({ type }) => strings[Number(type)])).toEqual(["goroutine"]);
  expect(strings).toContain("TCPSocketWrap");
  const sockets = Number(/^(\d+) @ TCPSocketWrap$/m.exec(text)?.[1]);
  expect(sockets).toBeGreaterThanOrEqual(3);
  const counts = [...text.matchAll(/^(\d+) @ /gm)].map(([, count]) => Number(count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(text).toMatch(new RegExp(`^goroutine profile: total ${total}\n`));
});

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

test("block shows which calls held the event loop, and is there only when it is asked for", async () => {
  const profiling = ground.api.get("/debug/pprof/block?seconds=2");
  const data = Object.fromEntries(Array.from({ length: 4000 }, (_, key) => [`k${key}`, "x".repeat(200)]));
  await ground.api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "large" }, data });
  let isOver = false;
  void profiling.then(() => {
    isOver = true;
  });
  for (let i = 0; !isOver; i++) {
    await ground.api.ask("PATCH", "/api/v1/namespaces/default/configmaps/large", {
      contentType: "application/merge-patch+json",
      body: { data: { k1: String(i) } },
    });
  }
  const answer = await profiling;
  expect(answer.status).toBe(200);
  const profile = Profile.decode(gunzipSync(answer.bytes));
  const { strings } = profile.stringTable;
  expect(profile.sampleType.map(({ type }) => strings[Number(type)])).toEqual(["contentions", "delay"]);
  const plain = await openGround();
  try {
    expect((await plain.api.get("/debug/pprof/block")).status).toBe(404);
    expect((await plain.api.get("/debug/pprof/")).text).not.toContain("block");
  } finally {
    await plain.dispose();
  }
});

test("profiles are only for those who may get their path", async () => {
  const guarded = await openGround(["--authorization-mode=RBAC"]);
  const nobody = new ApiClient(guarded.server, { anonymous: true });
  try {
    for (const name of ["heap", "profile", "goroutine", "cmdline", ""]) {
      const path = `/debug/pprof/${name}?seconds=0.01`;
      const jane = await guarded.api.ask("GET", path, { headers: { "impersonate-user": "jane" } });
      expect([name, jane.status, (await nobody.get(path)).status]).toEqual([name, 403, 403]);
      expect((await guarded.api.get(path)).status).toBe(200);
    }
  } finally {
    await nobody.close();
    await guarded.dispose();
  }
});

test("trace is events in Chrome's format", async () => {
  const tracing = ground.api.get("/debug/pprof/trace?seconds=1");
  for (let i = 0; i < 20; i++) await ground.api.get("/api/v1/namespaces/default/secrets");
  const answer = await tracing;
  expect(answer.status).toBe(200);
  const { traceEvents } = answer.body;
  expect(traceEvents.length).toBeGreaterThan(0);
  expect(traceEvents[0]).toEqual(expect.objectContaining({ ph: expect.any(String), ts: expect.any(Number) }));
  expect(answer.text).not.toContain(swordfish);
  expect((await ground.api.get("/debug/pprof/")).text).toContain('href="/debug/pprof/trace"');
});

test("the level of the log changes while the server runs", async () => {
  const lines = () => ground.server.output().split("\n");
  const set = (body: unknown) => ground.api.put("/debug/flags/v", body);
  const changed = await set(3);
  expect([changed.status, changed.text]).toEqual([200, "successfully set klog.logging.verbosity to 3\n"]);
  await ground.api.get("/version?logged");
  await expect.poll(lines).toContainEqual(expect.stringMatching(/ HTTP verb="GET" URI="\/version\?logged"/));
  await set(0);
  await ground.api.get("/version?silent");
  await ground.api.get("/version");
  expect(lines()).not.toContainEqual(expect.stringContaining("silent"));
});

test.each([
  [
    "PUT",
    "true",
    400,
    'failed set klog.logging.verbosity true: strconv.ParseInt: parsing "true": invalid syntax',
  ],
  ["PUT", "", 400, 'failed set klog.logging.verbosity : strconv.ParseInt: parsing "": invalid syntax'],
  ["GET", "", 406, "unsupported http method"],
])("%s of the level with %j is refused", async (method, raw, status, text) => {
  const answer = await ground.api.ask(method, "/debug/flags/v", raw === "" ? {} : { raw });
  expect([answer.status, answer.text]).toEqual([status, `${text}\n`]);
});

test("the page of flags names the one that changes", async () => {
  expect((await ground.api.get("/debug/flags/")).text).toContain("/debug/flags/v");
});
