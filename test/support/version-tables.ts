import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, ApiClient } from "./api-client.js";
import { type ServerHere, startServerHere } from "./in-process-server.js";
import { type ServerProcess, startServer } from "./server-process.js";

const namespace = "/api/v1/namespaces/versions";
const maps = `${namespace}/configmaps`;
const quiet = "--controllers=-root-ca-cert-publisher,-serviceaccount,namespace";
const tooLarge = "999999999";
const compactionIntervalMs = 1000;

/**
 * Kubernetes documentation, "API Concepts", "Resource versions": a row for every cell of the tables for get, list and watch, and every
 * error of versions. `args`: arguments of the server.
 */
export function describeVersions(title: string, args: () => readonly string[]): void {
  describe(title, () => {
    describe.sequential("versions that are held", () => describeHeld(args));
    describe.sequential("versions that are not held any more", () => describeExpired(args));
  });
}

function describeHeld(args: () => readonly string[]): void {
  let server: ServerProcess;
  let api: ApiClient;
  /** The version after the third of the four objects. */
  let third: string;
  /** The version of the first page of two. */
  let pageVersion: string;
  let token: string;

  beforeAll(async () => {
    server = await startServer({ args: [quiet, ...args()] });
    api = new ApiClient(server);
    await api.post("/api/v1/namespaces", { metadata: { name: "versions" } });
    for (const name of ["a", "b", "c"]) {
      third = (await api.post(maps, { metadata: { name } })).body.metadata.resourceVersion;
    }
    const page = (await api.get(`${maps}?limit=2`)).body;
    pageVersion = page.metadata.resourceVersion;
    token = encodeURIComponent(page.metadata.continue);
    await api.post(maps, { metadata: { name: "d" } });
  });

  afterAll(async () => {
    await api.close();
    await server.dispose();
  });

  const filledIn = (query: string): string => query.replace("THIRD", third).replace("TOKEN", token);

  // Concurrent, because waiting for a version that never comes ends only with a timeout.
  test.concurrent.each([
    ["", 200],
    ["?resourceVersion=0", 200],
    ["?resourceVersion=THIRD", 200],
    [`?resourceVersion=${tooLarge}`, 504],
    ["?resourceVersion=9223372036854775807", 504],
    ["?resourceVersion=abc", 400],
  ])("get %s answers %d", async (query, status) => {
    const answer = await api.get(`${maps}/a${filledIn(query)}`);
    expect(answer.status).toBe(status);
    if (status === 504) expectTooLarge(answer);
    if (status === 200) expect(answer.body.metadata.name).toBe("a");
  });

  test.concurrent.each([
    // resourceVersionMatch unset: limit unset / limit / limit and continue
    ["", "abcd"],
    ["resourceVersion=0", "abcd"],
    ["resourceVersion=THIRD", "abcd"],
    ["limit=2", "ab"],
    ["limit=2&resourceVersion=0", "ab"],
    ["limit=4&resourceVersion=THIRD", "abc"],
    ["limit=2&continue=TOKEN", "c"],
    ["limit=2&continue=TOKEN&resourceVersion=0", "c"],
    ["limit=2&continue=TOKEN&resourceVersion=THIRD", 400],
    ["continue=TOKEN", "c"],
    // Exact
    ["resourceVersionMatch=Exact", 422],
    ["resourceVersionMatch=Exact&resourceVersion=0", 422],
    ["resourceVersionMatch=Exact&resourceVersion=THIRD", "abc"],
    ["limit=2&resourceVersionMatch=Exact", 422],
    ["limit=2&resourceVersionMatch=Exact&resourceVersion=0", 422],
    ["limit=2&resourceVersionMatch=Exact&resourceVersion=THIRD", "ab"],
    // NotOlderThan
    ["resourceVersionMatch=NotOlderThan", 422],
    ["resourceVersionMatch=NotOlderThan&resourceVersion=0", "abcd"],
    ["resourceVersionMatch=NotOlderThan&resourceVersion=THIRD", "abcd"],
    ["limit=2&resourceVersionMatch=NotOlderThan", 422],
    ["limit=2&resourceVersionMatch=NotOlderThan&resourceVersion=0", "ab"],
    ["limit=2&resourceVersionMatch=NotOlderThan&resourceVersion=THIRD", "ab"],
    // Malformed versions and tokens
    [`resourceVersion=${tooLarge}`, 504],
    [`limit=2&resourceVersion=${tooLarge}`, 504],
    [`resourceVersionMatch=Exact&resourceVersion=${tooLarge}`, 504],
    [`limit=2&resourceVersionMatch=Exact&resourceVersion=${tooLarge}`, 504],
    [`resourceVersionMatch=NotOlderThan&resourceVersion=${tooLarge}`, 504],
    [`limit=2&resourceVersionMatch=NotOlderThan&resourceVersion=${tooLarge}`, 504],
    ["resourceVersion=9223372036854775807", 504],
    ["limit=2&resourceVersion=9223372036854775807", 504],
    ["resourceVersion=abc", 400],
    ["limit=abc", 400],
    ["limit=", 400],
    ["timeoutSeconds=abc", 400],
    ["limit=2&continue=nonsense", 400],
    [`limit=2&continue=${Buffer.from('{"v":"v2","rv":1,"start":"a"}').toString("base64url")}`, 400],
    ["limit=-1", "abcd"],
    ["resourceVersionMatch=Exact&continue=TOKEN&resourceVersion=THIRD", 422],
    ["resourceVersionMatch=NotOlderThan&continue=TOKEN", 422],
    ["resourceVersionMatch=Never&resourceVersion=THIRD", 422],
  ])("list %s answers %s", async (query, expected) => {
    const answer = await api.get(`${maps}?${filledIn(query)}`);
    if (expected === 504) expectTooLarge(answer);
    if (typeof expected === "number") expect(answer.status).toBe(expected);
    else expect({ status: answer.status, names: namesOf(answer) }).toEqual({ status: 200, names: expected });
  });

  test("an exact list is of exactly the version asked for, and its chunks are one snapshot", async () => {
    const exact = await api.get(`${maps}?resourceVersionMatch=Exact&resourceVersion=${third}`);
    expect(exact.body.metadata).toEqual({ resourceVersion: third, continue: "" });
    const next = await api.get(`${maps}?limit=2&continue=${token}`);
    expect(next.body.metadata.resourceVersion).toBe(pageVersion);
    expect(next.body.metadata.continue).toBe("");
    expect(next.body.metadata.remainingItemCount).toBeUndefined();
    const first = (await api.get(`${maps}?limit=2&resourceVersion=${third}`)).body.metadata;
    expect([first.resourceVersion, first.remainingItemCount]).toEqual([third, 1]);
  });

  test("a list not older than a version tells its own, which is not older", async () => {
    const version = async (query: string): Promise<number> =>
      Number((await api.get(`${maps}?${query}`)).body.metadata.resourceVersion);
    expect(await version(`resourceVersion=${third}`)).toBeGreaterThan(Number(third));
    const limited = `limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=${third}`;
    expect(await version(limited)).toBeGreaterThan(Number(third));
  });

  test("the most recent is what was written last, whoever wrote it", async () => {
    for (let round = 0; round < 20; round++) {
      const body = { data: { round: String(round) } };
      const written = await api.patch(`${maps}/a`, "application/merge-patch+json", body);
      const [got, listed] = await Promise.all([api.get(`${maps}/a`), api.get(maps)]);
      expect(got.body.data).toEqual(body.data);
      expect(listed.body.items[0].data).toEqual(body.data);
      const { resourceVersion } = written.body.metadata;
      expect(Number(listed.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
    }
  });

  test("a chunk says how many items remain, unless a selector makes that unknown", async () => {
    expect((await api.get(`${maps}?limit=1`)).body.metadata.remainingItemCount).toBe(3);
    const selected = await api.get(`${maps}?limit=1&labelSelector=!x`);
    expect(selected.body.metadata.continue).not.toBe("");
    expect(selected.body.metadata.remainingItemCount).toBeUndefined();
    expect((await api.get(`${maps}?limit=4`)).body.metadata.remainingItemCount).toBeUndefined();
  });

  async function firstEvents(query: string, count: number): Promise<string[]> {
    const stop = new AbortController();
    const events: string[] = [];
    try {
      for await (const { type, object } of api.watch(`${maps}?watch=1&${query}`, stop.signal)) {
        events.push(`${type} ${object.metadata.name}`);
        if (events.length === count) break;
      }
    } finally {
      stop.abort();
    }
    return events;
  }

  test.each([
    ["", ["ADDED a", "ADDED b", "ADDED c", "ADDED d"]],
    ["resourceVersion=0", ["ADDED a", "ADDED b", "ADDED c", "ADDED d"]],
    ["resourceVersion=THIRD", ["ADDED d"]],
    ["resourceVersion=THIRD&fieldSelector=metadata.name=d", ["ADDED d"]],
  ])("watch %s starts with %j", async (query, expected) => {
    expect(await firstEvents(filledIn(query), expected.length)).toEqual(expected);
  });

  test("a watch from a version that is not there yet waits for it", async () => {
    const events: string[] = [];
    const path = `${maps}?watch=1&timeoutSeconds=1&resourceVersion=${tooLarge}`;
    for await (const { type } of api.watch(path)) events.push(type);
    expect(events).toEqual([]);
  });

  test("before a watch ends a bookmark tells how far it is, to who asked for bookmarks", async () => {
    const listed = (await api.get(maps)).body.metadata.resourceVersion;
    const path = `${maps}?watch=1&timeoutSeconds=4&resourceVersion=${listed}`;
    await api.post("/api/v1/namespaces/default/configmaps", { metadata: { generateName: "elsewhere-" } });
    const eventsOf = async (query: string): Promise<ApiAnswer["body"][]> => {
      const events: ApiAnswer["body"][] = [];
      for await (const event of api.watch(`${path}${query}`)) events.push(event);
      return events;
    };
    const [asked, unasked] = await Promise.all([eventsOf("&allowWatchBookmarks=true"), eventsOf("")]);
    expect(unasked).toEqual([]);
    const metadata = { resourceVersion: expect.any(String) };
    expect(asked).toEqual([{ type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1", metadata } }]);
    expect(Number(asked[0].object.metadata.resourceVersion)).toBeGreaterThan(Number(listed));
  });

  test("a watch with a match is told all that is wrong with it", async () => {
    const answer = await api.get(`${maps}?watch=1&resourceVersionMatch=Sometimes`);
    expect(answer.body.details.causes.map((cause: { message: string }) => cause.message)).toEqual([
      "Forbidden: resourceVersionMatch is forbidden for watch",
      "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
      'Unsupported value: "Sometimes": supported values: "Exact", "NotOlderThan", ""',
    ]);
  });

  test("a path and a selector that name different objects do not go together", async () => {
    const answer = await api.get(
      `/api/v1/watch/namespaces/versions/configmaps/a?fieldSelector=metadata.name=b`,
    );
    expect([answer.status, answer.body.message]).toEqual([
      400,
      "fieldSelector metadata.name doesn't match requested name",
    ]);
  });

  test("the server does not mind many watches", async () => {
    const watches = Array.from({ length: 20 }, () => api.watch(`${maps}?watch=1`));
    await Promise.all(watches.map((watch) => watch.next()));
    await Promise.all(watches.map((watch) => watch.return(undefined)));
    expect(server.output()).not.toContain("MaxListeners");
  });

  test.each([
    ["its path", `${maps}/c?watch=1&timeoutSeconds=1`],
    ["its older path", `${maps.replace("/api/v1/", "/api/v1/watch/")}/c?timeoutSeconds=1`],
    ["its name", `${maps}?watch=1&fieldSelector=metadata.name%3Dc&timeoutSeconds=1`],
  ])("a watch of one object, by %s, is of no other", async (_, target) => {
    const events: string[] = [];
    for await (const { type, object } of api.watch(target)) events.push(`${type} ${object.metadata.name}`);
    expect(events).toEqual(["ADDED c"]);
  });

  test.each([
    ["resourceVersionMatch=Exact&resourceVersion=THIRD", 422],
    ["resourceVersion=abc", 400],
    ["timeoutSeconds=abc", 400],
    ["limit=abc", 400],
  ])("watch %s is refused with %d", async (query, status) => {
    expect((await api.get(`${maps}?watch=1&${filledIn(query)}`)).status).toBe(status);
  });
}

function describeExpired(args: () => readonly string[]): void {
  let server: ServerHere;
  let api: ApiClient;
  let old: string;
  let token: string;

  beforeAll(async () => {
    const options = [quiet, `--store-compaction-interval=${compactionIntervalMs}ms`, ...args()];
    const first = await startServerHere({ args: options });
    api = new ApiClient(first);
    await api.post("/api/v1/namespaces", { metadata: { name: "versions" } });
    for (const name of ["a", "b", "c"]) await api.post(maps, { metadata: { name } });
    const page = (await api.get(`${maps}?limit=2`)).body.metadata;
    old = page.resourceVersion;
    token = encodeURIComponent(page.continue);
    await api.delete(`${maps}/b`);
    await api.close();
    await first.stop();
    // A server loses its cached history when it ends; the store expires history by itself.
    server = await startServerHere({ args: options, dataDirectory: first.dataDirectory });
    api = new ApiClient(server);
    // A list at the version before the oldest one is expired, but a watch from there misses nothing, so it is still served.
    const next = Number(old) + 1;
    const held = `${maps}?limit=1&resourceVersionMatch=Exact&resourceVersion=${next}`;
    for (let tries = 0; tries < 100 && (await api.get(held)).status === 200; tries++) {
      await api.patch(`${maps}/a`, "application/merge-patch+json", { data: { tries: String(tries) } });
      await new Promise((resolve) => setTimeout(resolve, compactionIntervalMs / 4));
    }
  });

  afterAll(async () => {
    await api.close();
    await server.dispose();
  });

  test.each([
    "resourceVersionMatch=Exact&resourceVersion=OLD",
    "limit=2&resourceVersionMatch=Exact&resourceVersion=OLD",
    "limit=2&resourceVersion=OLD",
  ])("list %s is gone", async (query) => {
    const answer = await api.get(`${maps}?${query.replace("OLD", old)}`);
    expect([answer.status, answer.body.reason]).toEqual([410, "Expired"]);
    expect(answer.body.message).toBe("The resourceVersion for the provided list is too old.");
  });

  test("a token that has expired says how to go on, and hands out one that does", async () => {
    const answer = await api.get(`${maps}?limit=2&continue=${token}`);
    expect([answer.status, answer.body.reason]).toEqual([410, "Expired"]);
    expect(answer.body.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\. You can start a new list/,
    );
    const fresh = encodeURIComponent(answer.body.metadata.continue);
    const rest = await api.get(`${maps}?limit=2&continue=${fresh}`);
    expect([rest.status, namesOf(rest)]).toEqual([200, "c"]);
  });

  test("a watch from it is gone", async () => {
    const path = `${maps}?watch=1&timeoutSeconds=5&resourceVersion=${old}`;
    const answer = await api.get(path);
    // A status, because the stream has not begun.
    expect([answer.status, answer.body.kind, answer.body.reason]).toEqual([410, "Status", "Expired"]);
    expect(answer.body.message).toMatch(
      /^(too old resource version: \d+|The resourceVersion for the provided watch)/,
    );
  });

  test.each([
    ["get, not older than it,", `${maps}/a?resourceVersion=OLD`],
    ["list, not older than it,", `${maps}?resourceVersion=OLD`],
    [
      "list with limit, not older than it,",
      `${maps}?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=OLD`,
    ],
    ["list, any,", `${maps}?resourceVersion=0`],
    ["list, most recent,", maps],
  ])("a %s is answered", async (_what, path) => {
    expect((await api.get(path.replace("OLD", old))).status).toBe(200);
  });
}

function expectTooLarge(answer: ApiAnswer): void {
  expect(answer.status).toBe(504);
  expect(answer.headers["retry-after"]).toBe("1");
  expect(answer.body).toMatchObject({
    reason: "Timeout",
    details: {
      retryAfterSeconds: 1,
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    },
  });
  expect(answer.body.message).toMatch(
    /^Timeout: Too large resource version: (999999999|9007199254740990), current: \d+$/,
  );
}

function namesOf(answer: { body: { items: { metadata: { name: string } }[] } }): string {
  return answer.body.items.map((item) => item.metadata.name).join("");
}
