import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { afterAll, describe, expect, test } from "vitest";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { credentialsOf, disposeAll, startServer, type TestServer } from "../support/server-process.js";

const servers: TestServer[] = [];

afterAll(() => disposeAll(servers));

async function start(...args: readonly string[]): Promise<ServerHere> {
  const server = await startServerHere({ args });
  servers.push(server);
  return server;
}

/** Sends a request, and resolves with the status of its answer when that has ended. */
async function get(session: ClientHttp2Session, path: string, headers: object = {}): Promise<number> {
  const stream = session.request({ ":path": path, ...headers });
  const [answer] = (await once(stream, "response")) as [{ ":status": number }];
  stream.resume();
  await once(stream, "end");
  return answer[":status"];
}

describe.each([
  ["1.25", ["--feature-gates=UnauthenticatedHTTP2DOSMitigation=true"], true],
  ["1.28", [], false],
  ["1.29", [], true],
  ["1.36", [], true],
] as const)("at %s with %j", (level, gates, closes) => {
  test("an HTTP/2 connection of nobody is closed after its answer, as the level does", async () => {
    const server = await start(`--api-level=${level}`, "--authorization-mode=RBAC", ...gates);
    const { ca, cert, key } = credentialsOf(server);
    for (const [options, path, headers, status, isNobody] of [
      [{ ca }, "/version", {}, 200, true],
      [{ ca }, "/version", { authorization: "Bearer wrong" }, 401, true],
      [{ ca, cert, key }, "/version", {}, 200, false],
    ] as const) {
      const session = connect(server.url, options);
      let isTold = false;
      session.on("goaway", () => {
        isTold = true;
      });
      expect(await get(session, path, headers)).toBe(status);
      if (closes && isNobody) {
        await expect.poll(() => isTold).toBe(true);
      } else {
        expect(await get(session, path, headers)).toBe(status);
        expect(isTold).toBe(false);
      }
      session.destroy();
    }
  });
});

test.each([
  ["1.24", undefined],
  [
    "1.25",
    '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
  ],
])("at %s a token with a second space before it is ignored with the warning %j", async (level, warning) => {
  const server = await start(`--api-level=${level}`, "--authorization-mode=RBAC");
  const session = connect(server.url, { ca: credentialsOf(server).ca });
  const stream = session.request({ ":path": "/version", authorization: "Bearer  token" });
  const [answer] = (await once(stream, "response")) as [{ ":status": number; warning?: string }];
  expect([answer[":status"], answer.warning]).toEqual([200, warning]);
  session.destroy();
});

test.each([["1.27"], ["1.36"]])(
  "at %s the watches of a server that stops end within the time given",
  async (level) => {
    const args = [`--api-level=${level}`, "--shutdown-watch-termination-grace-period=2s"];
    const server = await startServer({ args });
    servers.push(server);
    const session = connect(server.url, credentialsOf(server));
    const watches: ClientHttp2Stream[] = [];
    for (let index = 0; index < 20; index++) {
      const stream = session.request({ ":path": "/api/v1/namespaces?watch=1" });
      await once(stream, "response");
      stream.resume();
      watches.push(stream);
    }
    const ends = Promise.all(watches.map((stream) => once(stream, "end")));
    const stopped = server.stop();
    await ends;
    session.destroy();
    expect(await stopped).toBe(0);
  },
);

test("at 1.26 no time can be given", async () => {
  await expect(start("--api-level=1.26", "--shutdown-watch-termination-grace-period=2s")).rejects.toThrow(
    "shutdown-watch-termination-grace-period",
  );
});
