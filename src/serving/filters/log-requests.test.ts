import { expect, test } from "vitest";
import { LogLevels } from "../../telemetry/log-levels.js";
import { createLogger, type Logger } from "../../telemetry/logger.js";
import type { HttpExchange, ResponseHeaders } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";
import { logRequests } from "./log-requests.js";
import { logSlowRequests, traceText } from "./log-slow-requests.js";

const requestLog = (log: Logger): Filter => logRequests(log, "1.27");

interface Asked {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly answer?: string;
}

function contextOf({ target = "/api/v1/namespaces/default/pods/a", headers = {} }: Asked) {
  const finished: (() => void)[] = [];
  const [path = "", query = ""] = target.split("?");
  const exchange = {
    method: "GET",
    target,
    path,
    query,
    headers: { "user-agent": "kubectl/v1", ...headers },
    httpVersion: "1.1",
    connection: { remoteAddress: "10.0.0.1", remotePort: 4711 },
    statusCode: 0,
    isUpgrade: false,
    respond(status: number, _headers: ResponseHeaders) {
      exchange.statusCode = status;
    },
    onFinished: (listener: () => void) => finished.push(listener),
  };
  // The members of an exchange that the filters use.
  const context = openContext(exchange as unknown as HttpExchange, new Date(Date.UTC(2026, 10, 22, 9)));
  context.auditId = "id-1";
  return { context, finish: () => finished.forEach((listener) => void listener()) };
}

async function lines(make: (log: Logger) => Filter, level: number, asked: Asked = {}) {
  const written: string[] = [];
  const levels = new LogLevels(0);
  const log = createLogger({ levels, write: (line) => written.push(line), now: () => new Date(0) });
  const filter = make(log);
  // The level may change at any time.
  levels.set(level);
  const { context, finish } = contextOf(asked);
  await filter(context, async () => {
    if (asked.body !== undefined) context.body = { bytes: asked.body, contentType: undefined };
    context.exchange.respond(
      200,
      { "Content-Type": "text/plain", "Set-Cookie": "swordfish" },
      asked.answer ?? "ok",
    );
  });
  finish();
  return written.map((line) => line.replace(/^I \S+ /, "").trimEnd());
}

test("requests are logged from level 3 on, with what tells them apart", async () => {
  expect(await lines(requestLog, 2)).toEqual([]);
  const [line, ...others] = await lines(requestLog, 3, {
    target: "/api/v1/pods?access_token=swordfish&limit=1",
  });
  expect(others).toEqual([]);
  expect(line).toMatch(
    /^HTTP verb="LIST" URI="\/api\/v1\/pods\?access_token=<masked>&limit=1" latency="[\d.]+ms" userAgent="kubectl\/v1" audit-ID="id-1" srcIP="10.0.0.1:4711" resp=200$/,
  );
});

test("the verb is that of the metrics", async () => {
  const [line] = await lines(requestLog, 3, { target: "/api/v1/namespaces/default/pods/a/exec?command=id" });
  expect(line).toMatch(/^HTTP verb="CONNECT" /);
});

test("headers are logged from level 6 on, without credentials", async () => {
  const headers = {
    authorization: "Bearer swordfish",
    cookie: "a=swordfish",
    "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.swordfish, v4.channel.k8s.io",
    accept: "application/json",
  };
  const text = (await lines(requestLog, 6, { headers })).join("\n");
  expect(text).toContain('authorization="<masked>"');
  expect(text).toContain('accept="application/json"');
  expect(text).not.toContain("swordfish");
  expect(text).not.toContain("body");
});

test("of long URLs and headers the beginning is logged", async () => {
  const long = "x".repeat(1_000_000);
  const [line, headers] = await lines(requestLog, 6, {
    target: `/api/v1/pods?a=1&access_token=${long}`,
    headers: { "user-agent": long, "audit-id": long, "x-long": long },
  });
  expect(line).toContain('URI="/api/v1/pods?a=1&access_token=<masked>" ');
  expect(line).not.toContain("x".repeat(4097));
  expect(headers).toContain(` x-long="${"x".repeat(4096)}…"`);
  expect(headers).not.toContain("x".repeat(4097));
});

test("bodies are logged from level 8 on, cut, and whole from level 10 on", async () => {
  const asked = { body: Buffer.from('{"a":1}'), answer: "x".repeat(20_000) };
  const [, , request, headers, response] = await lines(requestLog, 8, asked);
  expect(request).toBe('request body audit-ID="id-1" body="{\\"a\\":1}"');
  expect(headers).toBe('response headers audit-ID="id-1" content-type="text/plain" set-cookie="<masked>"');
  expect(response).toBe(`response body audit-ID="id-1" body="${"x".repeat(1024)}" truncatedBytes=18976`);
  expect((await lines(requestLog, 9, asked))[4]).toContain("truncatedBytes=9760");
  expect((await lines(requestLog, 10, asked))[4]).not.toContain("truncatedBytes");
});

test.each([
  "/api/v1/namespaces/default/secrets/a",
  "/api/v1/namespaces/default/serviceaccounts/a/token",
  "/apis/authentication.k8s.io/v1/tokenreviews",
])("bodies of %s are never logged", async (target) => {
  const text = (
    await lines(requestLog, 10, { target, body: Buffer.from("swordfish"), answer: "swordfish" })
  ).join("\n");
  expect(text).toContain("bodies are secret");
  expect(text).not.toContain("swordfish");
});

test("a fast request is not traced, except at level 4", async () => {
  expect(await lines(logSlowRequests, 3)).toEqual([]);
  expect((await lines(logSlowRequests, 4)).join("\n")).toMatch(
    /^Trace\[\d+\]: "Get" url:\/api\/v1\/namespaces\/default\/pods\/a,/,
  );
});

test("the trace of a slow request has the steps that took long", () => {
  const { context } = contextOf({ headers: { accept: "application/json\n" } });
  const startedAtMs = 1000;
  const steps = [
    { text: "About to convert to expected version", atMs: 1001 },
    { text: "Conversion done", atMs: 1400 },
    { text: "Object stored in database", atMs: 1610 },
  ];
  // The fields of a request that are read.
  const slow = { ...pick(context), startedAtMs, steps };
  expect(traceText(slow, 612.3, 500, 7).split("\n")).toEqual([
    'Trace[7]: "Get" url:/api/v1/namespaces/default/pods/a,user-agent:kubectl/v1,audit-id:id-1,client:10.0.0.1,accept:application/json?,protocol:HTTP/1.1 (22-Nov-2026 09:00:00.000) (total time: 612ms):',
    'Trace[7]: ---"Conversion done" 399ms (09:00:00.400)',
    'Trace[7]: ---"Object stored in database" 210ms (09:00:00.610)',
    "Trace[7]: [612.300000ms] [612.300000ms] END",
  ]);
});

function pick({ info, path, userAgent, auditId, exchange, receivedAt }: RequestContext) {
  return { info, path, userAgent, auditId, exchange, receivedAt };
}
