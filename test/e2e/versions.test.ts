import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

/** Contract 1, §4 "Resource versions": a row for every cell of the tables for get, list and watch. */

const maps = "/api/v1/namespaces/versions/configmaps";
let server: ServerProcess;
let api: ApiClient;
/** The version after the third of the four objects. */
let third: string;
/** The version of the first page of two. */
let pageVersion: string;
let token: string;

beforeAll(async () => {
  server = await startServer({ args: ["--controllers=-root-ca-cert-publisher,-serviceaccount,namespace"] });
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

const namesOf = (answer: { body: { items: { metadata: { name: string } }[] } }): string =>
  answer.body.items.map((item) => item.metadata.name).join("");

const tooLarge = "999999999";

test.each([
  ["", 200],
  ["?resourceVersion=0", 200],
  ["?resourceVersion=THIRD", 200],
  [`?resourceVersion=${tooLarge}`, 504],
])("get %s answers %d", async (query, status) => {
  const answer = await api.get(`${maps}/a${query.replace("THIRD", third)}`);
  expect(answer.status).toBe(status);
  if (status === 504) {
    expect(answer.body.message).toContain("Too large resource version");
    expect(answer.headers["retry-after"]).toBe("1");
  } else expect(answer.body.metadata.name).toBe("a");
});

test.each([
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
  // What no version or token can be
  [`resourceVersion=${tooLarge}`, 504],
  [`resourceVersionMatch=Exact&resourceVersion=${tooLarge}`, 504],
  ["resourceVersionMatch=Exact&continue=TOKEN&resourceVersion=THIRD", 422],
  ["resourceVersionMatch=Never&resourceVersion=THIRD", 422],
])("list %s answers %s", async (query, expected) => {
  const answer = await api.get(`${maps}?${query.replace("THIRD", third).replace("TOKEN", token)}`);
  if (typeof expected === "number") expect(answer.status).toBe(expected);
  else expect({ status: answer.status, names: namesOf(answer) }).toEqual({ status: 200, names: expected });
});

test("an exact list is of exactly the version asked for, and its chunks are one snapshot", async () => {
  const exact = await api.get(`${maps}?resourceVersionMatch=Exact&resourceVersion=${third}`);
  expect(exact.body.metadata.resourceVersion).toBe(third);
  const next = await api.get(`${maps}?limit=2&continue=${token}`);
  expect(next.body.metadata.resourceVersion).toBe(pageVersion);
  expect(next.body.metadata.continue).toBe("");
  expect(next.body.metadata.remainingItemCount).toBeUndefined();
});

test("a chunk says how many items remain, unless a selector makes that unknown", async () => {
  expect((await api.get(`${maps}?limit=1`)).body.metadata.remainingItemCount).toBe(3);
  const selected = await api.get(`${maps}?limit=1&labelSelector=!x`);
  expect(selected.body.metadata.continue).not.toBe("");
  expect(selected.body.metadata.remainingItemCount).toBeUndefined();
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
])("watch %s starts with %j", async (query, expected) => {
  expect(await firstEvents(query.replace("THIRD", third), expected.length)).toEqual(expected);
});

test("watch with resourceVersionMatch is refused", async () => {
  const answer = await api.get(`${maps}?watch=1&resourceVersionMatch=Exact&resourceVersion=${third}`);
  expect(answer.status).toBe(422);
});
