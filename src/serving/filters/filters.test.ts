import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { anonymousUser } from "../../access/authentication/authenticator.js";
import { openKindLoads } from "../../access/flowcontrol/load-samples.js";
import { badRequest, internal, type StatusError } from "../../apimachinery/errors/status.js";
import type { AccessSelectors } from "../../apimachinery/requests/access-selectors.js";
import { Metrics } from "../../telemetry/metrics.js";
import type { HttpExchange } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import type { RequestContext } from "../request/request-context.js";
import { answerErrors } from "./answer-errors.js";
import { authorize } from "./authorize.js";
import { cors } from "./cors.js";
import { deadline } from "./deadline.js";
import { chain, type Handler } from "./filter.js";
import { goaway } from "./goaway.js";
import { maxInFlight } from "./max-in-flight.js";
import { refuseWhileDraining } from "./refuse-while-draining.js";

interface Fake {
  readonly context: RequestContext;
  readonly headers: string[];
  /** Status codes; 0 is an aborted answer. */
  readonly answers: number[];
  /** The client has taken the answer. */
  finish(): void;
}

function request(
  target: string,
  options: { method?: string; headers?: Record<string, string>; httpVersion?: string } = {},
): Fake {
  const [path = "", query = ""] = target.split("?");
  const headers: string[] = [];
  const answers: number[] = [];
  const finished: (() => void)[] = [];
  const exchange = {
    method: options.method ?? "GET",
    target,
    path,
    query,
    headers: options.headers ?? {},
    signal: new AbortController().signal,
    responseStarted: false,
    addResponseHeader: (name: string, value: string) => headers.push(`${name}: ${value}`),
    httpVersion: options.httpVersion ?? "1.1",
    closeAfterResponse: () => headers.push("close"),
    respond: (status: number) => answers.push(status),
    abort: () => answers.push(0),
    onFinished: (listener: () => void) => finished.push(listener),
  };
  // The members of an exchange that filters use.
  const context = openContext(exchange as unknown as HttpExchange, new Date(0));
  context.authenticatedUser = anonymousUser;
  context.user = anonymousUser;
  const finish = (): void => {
    for (const listener of finished) listener();
  };
  return { context, headers, answers, finish };
}

const annotationKeys = { decision: "decision", reason: "reason" };
const authorizeOptions = { annotations: annotationKeys, tellsSelectors: false };

const never = (): Promise<void> => new Promise(() => {});

test("filters run from first to last, and the handler after them", async () => {
  const order: string[] = [];
  const step = (name: string) => async (context: RequestContext, next: Handler) => {
    order.push(name);
    await next(context);
  };
  await chain([step("a"), step("b")], async () => void order.push("handler"))(request("/").context);
  expect(order).toEqual(["a", "b", "handler"]);
});

test("a request that is answered at once delays nothing, and the time to read its answer is still limited", async () => {
  const answered = request("/api/v1/pods");
  const handle = chain([deadline(5), maxInFlight({ readOnly: 1, mutating: 1 })], () => undefined);
  expect(handle(answered.context)).toBeUndefined();
  await expect.poll(() => answered.answers).toEqual([0]);
  const next = request("/api/v1/pods");
  expect(handle(next.context)).toBeUndefined();
  next.finish();
});

test("a step that throws does not leave the steps before it waiting", async () => {
  const told: string[] = [];
  const limited = deadline(5, { expired: () => told.push("expired"), endedLate: (how) => told.push(how) });
  const broken = () => {
    throw badRequest("bad");
  };
  for (const handler of [chain([limited, broken], never), chain([limited], broken)]) {
    await expect(handler(request("/api/v1/pods").context)).rejects.toMatchObject({ code: 400 });
  }
  await limited(request("/api/v1/pods?watch=1").context, () => new Promise((done) => setTimeout(done, 10)));
  expect(told).toEqual([]);
});

test("a request ends when its time is up, and a watch does not", async () => {
  const limited = deadline(5);
  const { context } = request("/api/v1/pods");
  await expect(limited(context, never)).rejects.toMatchObject({ code: 504 });
  expect(context.signal.aborted).toBe(true);
  await limited(request("/api/v1/pods?watch=1").context, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

test("the outcome of a request that was answered as timed out is reported later", async () => {
  const told: string[] = [];
  const limited = deadline(5, { expired: () => told.push("expired"), endedLate: (how) => told.push(how) });
  for (const late of [() => undefined, () => Promise.reject(new Error("no"))]) {
    let finish = (): void => {};
    const working = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const answered = limited(request("/api/v1/pods").context, () => working.then(late));
    await expect(answered).rejects.toMatchObject({ code: 504 });
    finish();
    await working;
  }
  await limited(request("/api/v1/pods").context, async () => {});
  await expect.poll(() => told).toEqual(["expired", "ok", "expired", "error"]);
});

test("the time of a filter is that until it passes a request on", async () => {
  const passed: string[] = [];
  const filter = async (context: RequestContext, next: Handler) => {
    if (context.path !== "/refused") await next(context);
  };
  const handle = chain([{ filter, passed: ({ path }) => passed.push(path) }], async () => {
    passed.push("handler");
  });
  await handle(request("/refused").context);
  await handle(request("/passed").context);
  expect(passed).toEqual(["/passed", "handler"]);
});

test("an answer that is not taken in time is cut", async () => {
  const limited = deadline(5);
  const unread = request("/api/v1/pods");
  const read = request("/api/v1/pods");
  const watched = request("/api/v1/pods?watch=1");
  const failed = request("/api/v1/pods");
  for (const { context } of [unread, read, watched]) await limited(context, async () => {});
  await expect(limited(failed.context, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  read.finish();
  await expect.poll(() => [unread.answers, failed.answers]).toEqual([[0], [0]]);
  expect([read.answers, watched.answers]).toEqual([[], []]);
});

test("a client may ask for a shorter time, as a valid duration", async () => {
  await expect(deadline(60_000)(request("/?timeout=5ms").context, never)).rejects.toMatchObject({
    code: 504,
  });
  await expect(deadline(60_000)(request("/?timeout=soon").context, never)).rejects.toMatchObject({
    code: 400,
    message: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
  });
  await expect(deadline(60_000)(request("/?timeout=30").context, never)).rejects.toMatchObject({
    message: 'invalid timeout specified in the request URL - time: missing unit in duration "30"',
  });
  await deadline(60_000)(request("/?timeout=-1s").context, async () => {});
  // Both are too long for a timer.
  await deadline(1000 * 3_600_000)(request("/?timeout=900h").context, () => delay(20));
});

test("what is above the limits is refused with 429; reads and writes are counted apart", async () => {
  const limits = maxInFlight({ readOnly: 1, mutating: 1 });
  void limits(request("/api/v1/pods").context, never);
  const refused = limits(request("/api/v1/pods").context, never);
  await expect(refused).rejects.toMatchObject({ code: 429, status: { details: { retryAfterSeconds: 1 } } });
  let written = false;
  await limits(request("/api/v1/namespaces/a/pods", { method: "POST" }).context, async () => {
    written = true;
  });
  expect(written).toBe(true);
});

test("requests in flight are sampled in relation to their limit", async () => {
  const metrics = new Metrics();
  const limits = { readOnly: 2, mutating: 1 };
  let now = 0;
  const limit = maxInFlight(
    limits,
    undefined,
    openKindLoads(metrics, limits, () => now, "1.24"),
  );
  void limit(request("/api/v1/pods").context, never);
  // The filter's own clock is that of the process.
  now = performance.now() + 1000;
  const metric = metrics
    .read()
    .find(({ family }) => family.name.endsWith("read_vs_write_request_count_samples"));
  if (metric?.type !== "histogram") throw new Error("no samples");
  const executing = [...metric.family.children()].find(
    ({ values }) => values.join() === "readOnly,executing",
  );
  // 0.5 is in the sixth range.
  expect(executing?.child.counts[5]).toBeGreaterThanOrEqual(1000);
});

test("only allowed origins get CORS headers, and preflight requests an answer", async () => {
  const filter = cors((origin) => origin === "https://good.example");
  const good = request("/api", { method: "OPTIONS", headers: { origin: "https://good.example" } });
  await filter(good.context, never);
  expect(good.answers).toEqual([204]);
  expect(good.headers).toContain("Access-Control-Allow-Origin: https://good.example");
  const bad = request("/api", { headers: { origin: "https://bad.example" } });
  await filter(bad.context, async () => {});
  expect(bad.headers).toEqual([]);
});

test("a draining server sends requests away, but answers health checks", async () => {
  const filter = refuseWhileDraining(() => true);
  const { context, headers } = request("/api/v1/pods");
  await expect(filter(context, never)).rejects.toMatchObject({ code: 429 });
  expect(headers).toEqual(["close"]);
  await filter(request("/readyz").context, async () => {});
});

test("some HTTP/2 clients are told to reconnect", async () => {
  const chances = [0.009, 0.01, 0];
  const filter = goaway(0.01, () => chances.shift() ?? 1);
  const closed: boolean[] = [];
  for (const httpVersion of ["1.1", "2.0", "2.0", "2.0"]) {
    const { context, headers } = request("/api/v1/pods?watch=1", { httpVersion });
    await filter(context, async () => void closed.push(headers.includes("close")));
  }
  expect(closed).toEqual([false, true, false, true]);
});

test("a refusal names user, verb, resource and place", async () => {
  const filter = authorize(() => ({ kind: "noOpinion", reason: "" }), authorizeOptions);
  await expect(filter(request("/api/v1/namespaces/a/pods/b/log").context, never)).rejects.toThrow(
    'pods "b" is forbidden: User "system:anonymous" cannot get resource "pods/log" in API group "" in the namespace "a"',
  );
  await expect(filter(request("/metrics").context, never)).rejects.toThrow(
    'forbidden: User "system:anonymous" cannot get path "/metrics"',
  );
  const { context, headers } = request("/<b>&");
  await expect(filter(context, never)).rejects.toThrow('cannot get path "/&lt;b&gt;&amp;"');
  expect(headers).toEqual(["X-Content-Type-Options: nosniff"]);
});

test.each<[string, boolean, AccessSelectors | undefined]>([
  ["/api/v1/pods", true, undefined],
  ["/api/v1/pods/a?fieldSelector=a%3Db", true, undefined],
  ["/api/v1/pods?fieldSelector=spec.nodeName%3Dn1", false, undefined],
  [
    "/api/v1/pods?fieldSelector=spec.nodeName%3Dn1,a!%3Db&watch=1",
    true,
    {
      fields: [
        { key: "a", operator: "NotIn", values: ["b"] },
        { key: "spec.nodeName", operator: "In", values: ["n1"] },
      ],
      labels: [],
    },
  ],
  [
    "/api/v1/namespaces/n/pods?labelSelector=a+in+(b,c),!d,e,f%3E1&fieldSelector=%2Cno%3D%3D%3D",
    true,
    {
      fields: [],
      labels: [
        { key: "a", operator: "In", values: ["b", "c"] },
        { key: "d", operator: "DoesNotExist" },
        { key: "e", operator: "Exists" },
      ],
    },
  ],
  ["/api/v1/watch/pods?fieldSelector=a%3Db", true, undefined],
  ["/apis/apps/v1/watch/namespaces/n/deployments?labelSelector=a", true, undefined],
  [
    "/apis/apps/v1/namespaces/watch/deployments?labelSelector=a",
    true,
    { fields: [], labels: [{ key: "a", operator: "Exists" }] },
  ],
])("selectors of %s, told: %s", async (target, tellsSelectors, selectors) => {
  const asked: (AccessSelectors | undefined)[] = [];
  const filter = authorize(
    ({ info }) => {
      asked.push(info.selectors);
      return { kind: "allow", reason: "" };
    },
    { annotations: annotationKeys, tellsSelectors },
  );
  await filter(request(target).context, async () => {});
  expect(asked).toEqual([selectors]);
});

test("a denial says why; what kept an authorizer from judging is no denial", async () => {
  const denied = authorize(() => Promise.resolve({ kind: "deny", reason: "not today" }), authorizeOptions);
  await expect(denied(request("/metrics").context, never)).rejects.toThrow('path "/metrics": not today');
  const error = new Error("the webhook is away");
  const unsure = authorize(() => ({ kind: "noOpinion", reason: "", error }), authorizeOptions);
  await expect(unsure(request("/metrics").context, never)).rejects.toMatchObject({
    code: 500,
    message: "Internal error occurred: the webhook is away",
  });
});

test("an error that is no Status is a bug: logged whole, answered 500 without its insides", async () => {
  const answered: StatusError[] = [];
  const logged: unknown[] = [];
  const filter = answerErrors(async (_context, error) => void answered.push(error), {
    unexpected: (error) => void logged.push(error),
  });
  const bug = new Error("the secret is swordfish");
  await filter(request("/").context, async () => {
    throw bug;
  });
  expect(logged).toEqual([bug]);
  expect(answered[0]?.code).toBe(500);
  expect(JSON.stringify(answered[0]?.status)).not.toContain("swordfish");
});

test("an error that cannot be written is logged, unless the client has gone meanwhile", async () => {
  const logged: unknown[] = [];
  const failure = new Error("no answer can be made");
  const gone = new AbortController();
  let leave = (): void => undefined;
  const filter = answerErrors(
    async () => {
      leave();
      throw failure;
    },
    { unexpected: (error) => void logged.push(error) },
  );
  const failed = (): Promise<never> => Promise.reject(badRequest("no"));
  const { context, answers } = request("/");
  Object.assign(context.exchange, { signal: gone.signal });
  await filter(context, failed);
  expect(logged).toEqual([failure]);
  leave = () => gone.abort();
  await filter(context, failed);
  expect(logged).toEqual([failure]);
  expect(answers).toEqual([0, 0]);
});

test("an answer that has begun is cut, which is told", async () => {
  const aborted: string[] = [];
  const filter = answerErrors(async () => undefined, {
    unexpected: () => undefined,
    aborted: ({ path }) => void aborted.push(path),
  });
  const { context } = request("/a");
  Object.assign(context.exchange, { responseStarted: true, abort: () => undefined });
  await filter(context, async () => {
    throw internal("half of the list is gone");
  });
  expect(aborted).toEqual(["/a"]);
});

test("an internal error is logged for what the client is not told of it, and only then", async () => {
  const logged: unknown[] = [];
  const filter = answerErrors(async () => undefined, { unexpected: (error) => void logged.push(error) });
  const caused = internal("the disk is gone", new Error("EIO"));
  for (const error of [internal("asked for nothing that is there"), caused]) {
    await filter(request("/").context, async () => {
      throw error;
    });
  }
  expect(logged).toEqual([caused]);
});
