import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  certificateUser,
  clientConfigText,
  type PeerAnswer,
  type RemotePeer,
  startRemotePeer,
} from "../../test/support/remote-peer.js";
import { TestAuthority } from "../../test/support/test-authority.js";
import type { JsonValue } from "../apimachinery/json/json-value.js";
import { ConfiguredClient } from "./configured-client.js";
import { RemoteError } from "./remote-error.js";
import { Webhook, WebhookStatusError } from "./webhook.js";

let directory: string;
let authority: TestAuthority;
let peer: RemotePeer;
let client: ConfiguredClient;
/** The peer's next answers; the last one repeats. */
let answers: PeerAnswer[];
let now = 0;
const problems: string[] = [];
const signal = new AbortController().signal;
const file = () => join(directory, "config");

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "orch-webhook-"));
  authority = await TestAuthority.create("test-ca");
  answers = [{ body: { ok: true } }];
  peer = await startRemotePeer({ authority, clientCaPem: authority.caPem }, () => {
    const [answer = {}] = answers;
    if (answers.length > 1) answers.shift();
    return answer;
  });
  await writeConfig("first");
  problems.length = 0;
  client = await ConfiguredClient.open({
    file: file(),
    now: () => now,
    onProblem: (error) => problems.push(error.message),
  });
});
afterEach(async () => {
  await client.close();
  await peer.close();
  rmSync(directory, { recursive: true, force: true });
});

async function writeConfig(commonName: string): Promise<void> {
  const user = certificateUser(await authority.issue({ commonName, usage: "client" }));
  writeFileSync(file(), clientConfigText({ server: `${peer.url}/review`, caPem: authority.caPem, user }));
}

const codec = { fromJson: (value: JsonValue) => value };
const sent = { apiVersion: "example.com/v1beta1", kind: "Review" };

const webhook = (): Webhook<JsonValue> =>
  new Webhook({
    codec,
    client,
    backoff: { initialMs: 1, factor: 1.5, jitter: 0.2, attempts: 3 },
    timeoutMs: 10_000,
    random: () => 0,
  });

test("an object is posted, and the answer's object comes back", async () => {
  expect(await webhook().post(sent, signal)).toEqual({ ok: true });
  expect(peer.requests).toMatchObject([
    { method: "POST", path: "/review", body: JSON.stringify(sent), client: "first" },
  ]);
});

test("redirects that keep the body are followed on the same server, a limited number of times", async () => {
  const to = (location: string, status = 307): PeerAnswer => ({ status, headers: { location } });
  answers = [to("/review/"), to(`${peer.url}/other?a=b&a=c`, 308), { body: { ok: 1 } }];
  expect(await webhook().post(sent, signal)).toEqual({ ok: 1 });
  expect(peer.requests.map(({ method, path }) => [method, path])).toEqual([
    ["POST", "/review"],
    ["POST", "/review/"],
    ["POST", "/other?a=b&a=c"],
  ]);
  expect(peer.requests.at(-1)?.body).toBe(JSON.stringify(sent));
  for (const elsewhere of [
    to("https://127.0.0.1:1/"),
    to("http://[bad/"),
    to("/review/", 302),
    to("/again"),
  ]) {
    answers = [elsewhere];
    await expect(webhook().post(sent, signal)).rejects.toThrow(WebhookStatusError);
  }
  expect(peer.requests.filter(({ path }) => path === "/again")).toHaveLength(10);
});

test("what may pass is tried again, what may not is not", async () => {
  answers = [{ status: 500 }, { status: 429 }, { body: { ok: 1 } }];
  expect(await webhook().post(sent, signal)).toEqual({ ok: 1 });
  answers = [{ status: 503, headers: { "retry-after": "1" } }, { body: { ok: 2 } }];
  expect(await webhook().post(sent, signal)).toEqual({ ok: 2 });
  const before = peer.requests.length;
  answers = [{ status: 403 }];
  await expect(webhook().post(sent, signal)).rejects.toThrow(WebhookStatusError);
  expect(peer.requests.length - before).toBe(1);
  answers = [{ status: 500 }];
  await expect(webhook().post(sent, signal)).rejects.toThrow(
    'an error on the server ("unknown") has prevented the request from succeeding',
  );
  expect(peer.requests.length - before).toBe(4);
});

test.each(["", "[]", "{", "<html>"])("answer %j is a failure", async (body) => {
  answers = [{ body }];
  await expect(webhook().post(sent, signal)).rejects.toThrow(RemoteError);
});

test.each([
  [
    { apiVersion: "example.com/v1", kind: "Review" },
    "converting (v1.Review) to (v1beta1.Review): unknown conversion",
  ],
  [{ kind: "Status" }, 'no kind "Status" is registered for version "example.com/v1beta1"'],
])("an answer of another type, %j, is a failure", async (type, message) => {
  answers = [{ body: { ...type, status: { allowed: true } } }];
  await expect(webhook().post(sent, signal)).rejects.toThrow(message);
});

test("an answer of more values than a body may have is a failure", async () => {
  answers = [{ body: Array<number>(100_001).fill(0) }];
  await expect(webhook().post(sent, signal)).rejects.toThrow(
    "the webhook's answer has too many fields and items",
  );
});

test("a changed configuration is used by the next call after ten seconds", async () => {
  await webhook().post(sent, signal);
  await writeConfig("second");
  await webhook().post(sent, signal);
  now += 10_000;
  await webhook().post(sent, signal);
  writeFileSync(file(), "[]");
  now += 10_000;
  await webhook().post(sent, signal);
  expect(peer.requests.map((request) => request.client)).toEqual(["first", "first", "second", "second"]);
  expect(problems).toEqual([`${file()}: not a client configuration`]);
});
