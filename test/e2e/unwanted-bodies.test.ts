import { afterAll, beforeAll, expect, test } from "vitest";
import type { HostileRequest } from "../hostile/hostile-request.js";
import { Senders } from "../hostile/senders.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { credentialsOf } from "../support/server-process.js";

const pods = "/api/v1/namespaces/default/pods";
const body = Buffer.alloc(2_500_000, "\n");
/** Shorter than the server would take to give up a body. */
const hangMs = 20_000;
let server: ServerHere;
let senders: Senders;

beforeAll(async () => {
  server = await startServerHere();
  senders = new Senders(server.url, credentialsOf(server), hangMs);
});

afterAll(async () => {
  senders?.close();
  await server?.dispose();
});

/** Each is answered before its body was read, or without reading it. */
const unwanted: readonly (readonly [number, Omit<HostileRequest, "kind">])[] = [
  [405, { method: "PURGE", path: `${pods}/a`, headers: { "content-type": "application/yaml" } }],
  [405, { method: "PURGE", path: `${pods}/a`, headers: { expect: "100-continue" } }],
  [400, { method: "PURGE", path: `${pods}/%zz` }],
  [405, { method: "PUT", path: pods, headers: { "content-type": "application/json" } }],
  [405, { method: "HEAD", path: pods }],
  [405, { method: "OPTIONS", path: pods }],
  [404, { method: "DELETE", path: `${pods}/a/nothing` }],
  [406, { method: "POST", path: pods, headers: { accept: "image/png" } }],
  [401, { method: "POST", path: pods, anonymous: true }],
  [200, { method: "GET", path: pods }],
];

test.each(["1", "2"] as const)(
  "a body of megabytes that nobody reads keeps no answer back, alone and with others on its connection, HTTP/%s",
  async (http) => {
    const send = async ([status, request]: (typeof unwanted)[number]) => {
      const outcome = await senders.send({ kind: "unwanted body", ...request, body }, http);
      const got = outcome.kind === "answered" ? outcome.status : JSON.stringify(outcome);
      expect([request.method, request.path, got]).toEqual([request.method, request.path, status]);
    };
    for (const each of unwanted) await send(each);
    for (let round = 0; round < 3; round++) await Promise.all([...unwanted, ...unwanted].map(send));
  },
);
