import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { RequestScope } from "./request-scope.js";

function scopeOf(bodyBytes: number): RequestScope {
  const scope = new RequestScope(
    {
      method: "POST",
      target: "/api/v1/nodes",
      headers: {},
      remoteAddress: "192.0.2.1",
      signal: new AbortController().signal,
      statusCode: 0,
      headerValues: () => [],
      addResponseHeader: () => undefined,
      removeResponseHeader: () => undefined,
      onStarted: () => undefined,
      onFinished: () => undefined,
    },
    new Date(),
    {
      isResourceRequest: true,
      path: "/api/v1/nodes",
      verb: "create",
      apiPrefix: "api",
      apiGroup: "",
      apiVersion: "v1",
      namespace: "",
      resource: "nodes",
      subresource: "",
      name: "",
      parts: ["nodes"],
    },
    new URLSearchParams(),
  );
  scope.body = { bytes: new Uint8Array(bodyBytes), contentType: "application/json" };
  return scope;
}

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a request of medium size waits for a turn when the event loop has been held for long", async () => {
  const medium = scopeOf(8 * 1024);
  await nextRound();
  expect(medium.takeTurn()).toBeUndefined();
  work(5);
  const turn = medium.takeTurn();
  expect(turn).toBeInstanceOf(Promise);
  expect(scopeOf(100).takeTurn()).toBeUndefined();
  await turn;
  expect(medium.takeTurn()).toBeUndefined();
});

test("a large request takes a turn each time", async () => {
  const large = scopeOf(64 * 1024);
  for (const turn of [large.takeTurn(), large.takeTurn()]) expect(turn).toBeInstanceOf(Promise);
});
