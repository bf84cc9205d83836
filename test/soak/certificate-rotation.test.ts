import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import {
  certificateUser,
  clientConfigText,
  type PeerRequest,
  type RemotePeer,
  startRemotePeer,
} from "../support/remote-peer.js";
import { TestAuthority, type TestCertificate } from "../support/test-authority.js";

const home = mkdtempSync(join(tmpdir(), "rotation-"));
const path = (name: string) => join(home, name);
/** Replaces the file by renaming, as certificate managers do, so that a reader never sees half of it. */
function put(name: string, text: string): void {
  writeFileSync(path(`${name}.new`), text);
  renameSync(path(`${name}.new`), path(name));
}

/** One generation of everything that is rotated. */
interface Generation {
  readonly users: TestAuthority;
  readonly proxies: TestAuthority;
  readonly jane: TestCertificate;
  readonly proxy: TestCertificate;
  /** With which the server asks the token webhook. */
  readonly asking: TestCertificate;
  readonly servingName: string;
  /** With which the server asks the authorization webhook. */
  readonly bearer: string;
}

const hookToken = "of-the-webhook";
let serving: TestAuthority;
let peers: TestAuthority;
let reviewer: RemotePeer;
let decider: RemotePeer;
let server: ServerHere;
let old: Generation;
let next: Generation;

async function makeGeneration(name: string): Promise<Generation> {
  const users = await TestAuthority.create(`users-${name}`);
  const proxies = await TestAuthority.create(`proxies-${name}`);
  return {
    users,
    proxies,
    jane: await users.issue({ commonName: "jane", usage: "client" }),
    proxy: await proxies.issue({ commonName: "proxy", usage: "client" }),
    asking: await peers.issue({ commonName: `asking-${name}`, usage: "client" }),
    servingName: `serving-${name}`,
    bearer: `bearer-${name}`,
  };
}

async function putServing({ servingName }: Generation): Promise<void> {
  const names = ["127.0.0.1"];
  const { certPem, keyPem } = await serving.issue({ commonName: servingName, usage: "server", names });
  // For a moment they do not belong together.
  put("serving.crt", certPem);
  put("serving.key", keyPem);
}

function putClients({ asking, bearer }: Generation): void {
  const caPem = peers.caPem;
  put("bearer", bearer);
  put("reviewer", clientConfigText({ server: reviewer.url, caPem, user: certificateUser(asking) }));
  put("decider", clientConfigText({ server: decider.url, caPem, user: { tokenFile: path("bearer") } }));
}

beforeAll(async () => {
  serving = await TestAuthority.create("serving-ca");
  peers = await TestAuthority.create("peers-ca");
  old = await makeGeneration("old");
  next = await makeGeneration("next");
  reviewer = await startRemotePeer({ authority: peers, clientCaPem: peers.caPem }, () => ({
    body: { status: { authenticated: true, user: { username: "hook" } } },
  }));
  decider = await startRemotePeer({ authority: peers }, ({ headers, body }) => {
    const known = [old.bearer, next.bearer].some((bearer) => headers.authorization === `Bearer ${bearer}`);
    if (!known) return { status: 401 };
    const { user } = JSON.parse(body).spec;
    return { body: { status: { allowed: ["jane", "bob", "hook"].includes(user) } } };
  });
  await putServing(old);
  putClients(old);
  put("users.crt", old.users.caPem);
  put("proxies.crt", old.proxies.caPem);
  server = await startServerHere({
    args: [
      `--tls-cert-file=${path("serving.crt")}`,
      `--tls-private-key-file=${path("serving.key")}`,
      `--client-ca-file=${path("users.crt")}`,
      `--requestheader-client-ca-file=${path("proxies.crt")}`,
      "--requestheader-username-headers=X-Remote-User",
      `--authentication-token-webhook-config-file=${path("reviewer")}`,
      "--authentication-token-webhook-cache-ttl=0s",
      "--authorization-mode=Webhook",
      `--authorization-webhook-config-file=${path("decider")}`,
      "--authorization-webhook-cache-authorized-ttl=0s",
      "--authorization-webhook-cache-unauthorized-ttl=0s",
    ],
  });
});

afterAll(async () => {
  await server?.dispose();
  await reviewer?.close();
  await decider?.close();
  rmSync(home, { recursive: true, force: true });
});

/** Of one client; together they ask some hundred times a second, and leave most of a core to others. */
const betweenRequestsMs = 50;

type Who = "jane" | "proxy" | "token";

function newAgent(who: Who, generation: Generation, http2: boolean): Agent {
  const shown = who === "token" ? undefined : generation[who];
  return new Agent({
    allowH2: http2,
    connect: { ca: serving.caPem, ...(shown && { cert: shown.certPem, key: shown.keyPem }) },
  });
}

async function ask(who: Who, agent: Agent): Promise<number> {
  const headers =
    who === "token"
      ? { authorization: `Bearer ${hookToken}` }
      : who === "proxy"
        ? { "x-remote-user": "bob" }
        : {};
  const url = `${server.url}/api/v1/namespaces/default/configmaps`;
  const { statusCode, body } = await request(url, { dispatcher: agent, headers });
  await body.dump();
  return statusCode;
}

async function askOnce(who: Who, generation: Generation): Promise<number> {
  const agent = newAgent(who, generation, false);
  try {
    return await ask(who, agent);
  } finally {
    await agent.close();
  }
}

async function servedName(): Promise<unknown> {
  const socket = connect({ host: "127.0.0.1", port: server.port, ca: serving.caPem });
  return await new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
  });
}

const lastOf = ({ requests }: RemotePeer): PeerRequest | undefined => requests.at(-1);

test("everything is rotated under load, and no request fails", async () => {
  let generation = old;
  let isDone = false;
  const failures: string[] = [];
  let answered = 0;
  /** Half of the clients keep their connection as long as their certificate, the others open one per request. */
  const clients = (["jane", "proxy", "token"] as const).flatMap((who) =>
    [false, true].flatMap((http2) => [true, false].map((keeps) => ({ who, http2, keeps }))),
  );
  const load = clients.map(async ({ who, http2, keeps }) => {
    let shown = generation;
    let agent = newAgent(who, shown, http2);
    while (!isDone) {
      if (!keeps || shown !== generation) {
        await agent.close();
        shown = generation;
        agent = newAgent(who, shown, http2);
      }
      const outcome = await ask(who, agent).catch(String);
      answered += 1;
      if (outcome !== 200) failures.push(`${who}, HTTP/${http2 ? 2 : 1}: ${outcome}`);
      await setTimeout(betweenRequestsMs);
    }
    await agent.close();
  });
  try {
    expect(await servedName()).toBe("serving-old");
    await expect.poll(() => lastOf(decider)?.headers.authorization).toBe("Bearer bearer-old");
    expect(await askOnce("jane", next)).toBe(401);
    expect(await askOnce("proxy", next)).toBe(401);

    await putServing(next);
    putClients(next);
    put("users.crt", old.users.caPem + next.users.caPem);
    put("proxies.crt", old.proxies.caPem + next.proxies.caPem);
    await expect.poll(() => servedName()).toBe("serving-next");
    await expect.poll(() => askOnce("jane", next)).toBe(200);
    await expect.poll(() => askOnce("proxy", next)).toBe(200);
    await expect.poll(() => lastOf(reviewer)?.client).toBe("asking-next");
    await expect.poll(() => lastOf(decider)?.headers.authorization).toBe("Bearer bearer-next");
    expect(await askOnce("jane", old)).toBe(200);

    const before = answered;
    generation = next;
    await expect.poll(() => answered).toBeGreaterThan(before + 10 * clients.length);
    put("users.crt", next.users.caPem);
    put("proxies.crt", next.proxies.caPem);
    await expect.poll(() => askOnce("jane", old)).toBe(401);
    await expect.poll(() => askOnce("proxy", old)).toBe(401);
    const after = answered;
    await expect.poll(() => answered).toBeGreaterThan(after + 10 * clients.length);
  } finally {
    isDone = true;
    await Promise.all(load);
  }
  expect(failures).toEqual([]);
});
