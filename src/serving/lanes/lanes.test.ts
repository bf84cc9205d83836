import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { badRequest } from "../../apimachinery/errors/status.js";
import { openContext } from "../request/open-context.js";
import type { RequestContext } from "../request/request-context.js";
import { AnswerBudget } from "../responses/answer-budget.js";
import { RecordedExchange } from "../responses/testing/recorded-exchange.js";
import type { LaneEnd, LaneThread } from "./lane.js";
import type { FromLane, LaneNotes, LaneOutcome, LogEntry, ToLane } from "./lane-messages.js";
import { Lanes, type LanesObserver, type LanesOptions } from "./lanes.js";
import { sharedTimeOf } from "./thread-time.js";

const noNotes: LaneNotes = {
  warnings: [],
  audit: [],
  steps: [],
  spans: [],
  mutatingWebhooksMs: 0,
  validatingWebhooksMs: 0,
  storageMs: 0,
};

/** A thread whose answers the test provides. */
class FakeThread implements LaneThread {
  readonly posted: ToLane[] = [];
  readonly written = new Set<number>();
  isEnded = false;
  #listener: (message: FromLane) => void = () => undefined;
  #ended: (end: LaneEnd) => void = () => undefined;

  post(message: ToLane): void {
    this.posted.push(message);
  }
  onMessage(listener: (message: FromLane) => void): void {
    this.#listener = listener;
  }
  onEnd(listener: (end: LaneEnd) => void): void {
    this.#ended = listener;
  }
  hasWritten(request: number): boolean {
    return this.written.has(request);
  }
  forget(request: number): void {
    this.written.delete(request);
  }
  end(): void {
    this.isEnded = true;
  }

  tell(message: FromLane): void {
    this.#listener(message);
  }
  fail(end: LaneEnd): void {
    this.#ended(end);
  }
  /** Paths of the requests that it was given, in order. */
  get paths(): string[] {
    return this.posted.flatMap((message) => (message.kind === "request" ? [message.request.target] : []));
  }
  idOf(path: string): number {
    const posted = this.posted.findLast(
      (message) => message.kind === "request" && message.request.target === path,
    );
    if (posted?.kind !== "request") throw new Error(`${path} is not here`);
    return posted.request.id;
  }
  answer(path: string, outcome: LaneOutcome = answerOf(path), notes: Partial<LaneNotes> = {}): void {
    this.tell({ kind: "done", id: this.idOf(path), outcome, notes: { ...noNotes, ...notes } });
  }
  get pings(): number {
    return this.posted.filter(({ kind }) => kind === "ping").length;
  }
}

function answerOf(text: string): LaneOutcome {
  return { kind: "answer", status: 200, headers: { "Content-Type": "text/plain" }, body: bytes(text) };
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(text.length);
  all.set(Buffer.from(text));
  return all;
}

const threads: FakeThread[] = [];
const logged: LogEntry[] = [];
const ended: string[] = [];
let state = { lanes: 0, running: 0, waiting: 0 };
let memoryBytes = 0;
const observer: LanesObserver = {
  changed(now) {
    state = now;
  },
  answered: () => undefined,
  ended: (why) => void ended.push(why),
  counted: () => undefined,
};

beforeEach(() => {
  vi.useFakeTimers();
  threads.length = 0;
  logged.length = 0;
  ended.length = 0;
  memoryBytes = 0;
});
afterEach(() => vi.useRealTimers());

function lanesOf(options: Partial<LanesOptions> = {}): Lanes {
  return new Lanes({
    open() {
      const thread = new FakeThread();
      threads.push(thread);
      return thread;
    },
    lanesMax: 1,
    timeLimitMs: 5000,
    memoryLimitBytes: 1000,
    idleMs: 60_000,
    answers: new AnswerBudget(),
    compress: false,
    written: () => undefined,
    answerQuestion: () => Promise.reject(new Error("no lane asks")),
    log: (entry) => void logged.push(entry),
    observer,
    now: () => Date.now(),
    memoryUsed: () => memoryBytes,
    ...options,
  });
}

/** The thread that was opened last, ready. */
function ready(thread: FakeThread | undefined = threads.at(-1)): FakeThread {
  if (thread === undefined) throw new Error("no lane was opened");
  thread.tell({ kind: "ready" });
  return thread;
}

interface Sent {
  readonly exchange: RecordedExchange;
  readonly context: RequestContext;
  readonly answered: Promise<unknown>;
  abort(reason: unknown): void;
}

/** `answered` resolves with the text of the answer, or with the error. */
function send(
  lanes: Lanes,
  target: string,
  { user = "anna", method = "PUT" }: { readonly user?: string; readonly method?: string } = {},
): Sent {
  const exchange = new RecordedExchange({ method, target, headers: { "accept-encoding": "gzip" } });
  const context = openContext(exchange, new Date());
  context.authenticatedUser = { name: "proxy", uid: "", groups: [], extra: {} };
  context.user = { name: user, uid: "", groups: [], extra: {} };
  context.body = { bytes: Buffer.from("body").subarray(1), contentType: undefined };
  const aborting = new AbortController();
  context.signalSource = aborting;
  const answered = lanes.answer(context).then(
    () => exchange.body.toString(),
    (error: unknown) => error,
  );
  return { exchange, context, answered, abort: (reason) => aborting.abort(reason) };
}

test("the first request opens a lane, which is given what the endpoints need", async () => {
  const lanes = lanesOf();
  expect(threads).toHaveLength(0);
  const sent = send(lanes, "/a?x=1");
  const thread = ready();
  const [posted] = thread.posted;
  expect(posted).toMatchObject({
    kind: "request",
    request: { method: "PUT", target: "/a?x=1", headers: {}, user: { name: "anna" }, auditLevel: undefined },
  });
  if (posted?.kind !== "request") throw new Error("no request");
  expect(posted.request.headers).not.toHaveProperty("accept-encoding");
  expect(Buffer.from(posted.request.body).toString()).toBe("ody");
  expect(posted.request.body.buffer.byteLength).toBe(3);
  thread.answer("/a?x=1");
  expect(await sent.answered).toBe("/a?x=1");
  expect(sent.exchange.statusCode).toBe(200);
  expect(state).toEqual({ lanes: 1, running: 0, waiting: 0 });
});

test("an error comes with its warnings, steps and times", async () => {
  const lanes = lanesOf();
  const sent = send(lanes, "/a");
  const { status } = badRequest("no");
  const atMs = performance.now();
  ready().answer(
    "/a",
    { kind: "error", status },
    {
      warnings: ["first", "first", "second"],
      steps: [{ text: "About to store object in database", atMs: sharedTimeOf(atMs) }],
      mutatingWebhooksMs: 7,
      validatingWebhooksMs: 5,
      storageMs: 0,
    },
  );
  expect(await sent.answered).toMatchObject({ status: { code: 400, message: "no" } });
  expect(sent.context.warnings).toEqual(["first", "second"]);
  expect(sent.context.webhooksMs).toBe(12);
  const [step] = sent.context.steps;
  expect(step?.text).toBe("About to store object in database");
  expect(step?.atMs).toBeCloseTo(atMs, 3);
});

test("a lane has four requests at a time, a fifth of a user that has none, and users take turns for its places", async () => {
  const lanes = lanesOf();
  const all = ["/a1", "/a2", "/a3", "/a4", "/a5", "/a6"].map((path) => send(lanes, path));
  all.push(send(lanes, "/b1", { user: "bert" }), send(lanes, "/b2", { user: "bert" }));
  const thread = ready();
  expect(thread.paths).toEqual(["/a1", "/a2", "/a3", "/a4", "/b1"]);
  expect(state).toEqual({ lanes: 1, running: 5, waiting: 3 });
  for (const path of ["/a1", "/a2", "/a3", "/a4"]) thread.answer(path);
  expect(thread.paths.slice(5)).toEqual(["/a5", "/b2", "/a6"]);
  for (const path of ["/b1", "/a5", "/b2", "/a6"]) thread.answer(path);
  expect(await Promise.all(all.map(({ answered }) => answered))).toContain("/b2");
});

test("a second lane begins before one has two requests, as long as there may be more", () => {
  const lanes = lanesOf({ lanesMax: 2 });
  for (const path of ["/1", "/2", "/3", "/4", "/5"]) send(lanes, path);
  expect(threads.map(({ paths }) => paths)).toEqual([
    ["/1", "/3", "/5"],
    ["/2", "/4"],
  ]);
});

describe("a request whose answer is not needed any more", () => {
  const reason = new Error("gone");

  test("leaves the queue", async () => {
    const lanes = lanesOf();
    for (const path of ["/1", "/2", "/3", "/4"]) send(lanes, path);
    const waiting = send(lanes, "/5");
    waiting.abort(reason);
    expect(await waiting.answered).toBe(reason);
    expect(state.waiting).toBe(0);
    ready().answer("/1");
    expect(threads[0]?.paths).not.toContain("/5");
  });

  test("is told to the lane, and keeps its place until the lane has noticed", async () => {
    const lanes = lanesOf();
    const all = ["/1", "/2", "/3", "/4", "/5"].map((path) => send(lanes, path));
    const thread = ready();
    all[0]?.abort(reason);
    expect(await all[0]?.answered).toBe(reason);
    expect(thread.posted.at(-1)).toEqual({ kind: "abort", id: thread.idOf("/1") });
    expect(thread.paths).not.toContain("/5");
    thread.answer("/1");
    expect(thread.paths).toContain("/5");
    expect(all[0]?.exchange.statusCode).toBe(0);
  });

  test("never begins when it was so from the start", async () => {
    const lanes = lanesOf();
    const exchange = new RecordedExchange({ method: "PUT", target: "/a" });
    const context = openContext(exchange, new Date());
    context.signalSource = { signal: AbortSignal.abort(reason) };
    await expect(lanes.answer(context)).rejects.toBe(reason);
    expect(threads).toHaveLength(0);
  });
});

describe("a lane that ends", () => {
  test("by memory refuses what was alone in it, and is replaced", async () => {
    const lanes = lanesOf();
    const sent = send(lanes, "/big");
    ready().fail({ kind: "outOfMemory" });
    expect(await sent.answered).toMatchObject({
      status: { code: 413, message: expect.stringContaining("--lane-memory-mb") },
    });
    expect(ended).toEqual(["memory"]);
    expect(logged).toEqual([
      {
        severity: "warn",
        message: expect.stringContaining("--lane-memory-mb"),
        values: { requests: "PUT /big" },
        stack: undefined,
      },
    ]);
    const next = send(lanes, "/next");
    ready().answer("/next");
    expect(await next.answered).toBe("/next");
    expect(threads).toHaveLength(2);
  });

  test("tries again, each alone, what wrote nothing, and refuses what may have", async () => {
    const lanes = lanesOf({ lanesMax: 2 });
    // Both lanes have requests; the first ends.
    const [one, two, three, four, five] = ["/1", "/2", "/3", "/4", "/5"].map((path) => send(lanes, path));
    const [first, second] = [ready(threads[0]), ready(threads[1])];
    expect(first.paths).toEqual(["/1", "/3", "/5"]);
    first.written.add(first.idOf("/3"));
    first.fail({ kind: "failed", error: new Error("boom") });
    expect(first.isEnded).toBe(true);
    expect(await three?.answered).toMatchObject({
      status: { code: 500, message: expect.stringContaining("whether it was stored is not known") },
    });
    // The other one is busy, so the requests to retry run one by one in a new lane.
    const third = ready(threads[2]);
    expect(third.paths).toEqual(["/1"]);
    third.answer("/1");
    expect(third.paths).toEqual(["/1", "/5"]);
    third.fail({ kind: "failed", error: new Error("boom") });
    expect(await one?.answered).toBe("/1");
    expect(await five?.answered).toMatchObject({
      status: { code: 500, message: expect.not.stringContaining("stored") },
    });
    second.answer("/2");
    second.answer("/4");
    expect(await two?.answered).toBe("/2");
    expect(await four?.answered).toBe("/4");
    expect(ended).toEqual(["failure", "failure"]);
    expect(logged[0]).toMatchObject({ severity: "error", stack: expect.stringContaining("boom") });
  });

  test("with others does not blame those that waited for one whose client has gone", async () => {
    const lanes = lanesOf();
    const [gone, other] = [send(lanes, "/gone"), send(lanes, "/other")];
    const thread = ready();
    gone.abort(new Error("gone"));
    thread.fail({ kind: "outOfMemory" });
    ready(threads[1]).answer("/other");
    expect(await other.answered).toBe("/other");
  });

  test("because it does not answer any more", async () => {
    const lanes = lanesOf();
    const sent = send(lanes, "/slow");
    const thread = ready();
    vi.advanceTimersByTime(4000);
    // One ping at a time.
    expect(thread.pings).toBe(1);
    thread.tell({ kind: "pong" });
    vi.advanceTimersByTime(4900);
    expect(thread.isEnded).toBe(false);
    vi.advanceTimersByTime(700);
    expect(thread.isEnded).toBe(true);
    expect(await sent.answered).toMatchObject({
      status: { code: 504, message: expect.stringContaining("5 s, the limit of --lane-time-limit") },
    });
    expect(ended).toEqual(["time"]);
  });

  test("only when it has computed that long, although it is silent while others have the processors", async () => {
    let processorMs = 700;
    const lanes = lanesOf({ processorMs: (thread) => (thread === 42 ? processorMs : undefined) });
    const sent = send(lanes, "/starved");
    const [thread] = threads;
    thread?.tell({ kind: "ready", thread: 42 });
    vi.advanceTimersByTime(1000);
    processorMs += 5000;
    vi.advanceTimersByTime(20_000);
    expect(thread?.isEnded).toBe(false);
    processorMs += 1;
    vi.advanceTimersByTime(300);
    expect(thread?.isEnded).toBe(true);
    expect(await sent.answered).toMatchObject({ status: { code: 504 } });
  });

  test("because it is stuck and computes nothing", async () => {
    const lanes = lanesOf({ processorMs: () => 700 });
    const sent = send(lanes, "/stuck");
    const [thread] = threads;
    thread?.tell({ kind: "ready", thread: 42 });
    vi.advanceTimersByTime(30_000);
    expect(thread?.isEnded).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(thread?.isEnded).toBe(true);
    expect(await sent.answered).toMatchObject({ status: { code: 504 } });
  });

  test("because the process grows while it does not answer", async () => {
    const lanes = lanesOf();
    memoryBytes = 5000;
    const sent = send(lanes, "/big");
    // Memory used during the start does not count.
    memoryBytes = 8000;
    const thread = ready();
    memoryBytes = 9000;
    vi.advanceTimersByTime(1000);
    expect(thread.isEnded).toBe(false);
    memoryBytes = 9001;
    vi.advanceTimersByTime(300);
    expect(thread.isEnded).toBe(true);
    expect(await sent.answered).toMatchObject({ status: { code: 413 } });
  });

  test("does not because the process grows while it answers", () => {
    const lanes = lanesOf();
    send(lanes, "/waits");
    const thread = ready();
    for (let each = 1; each < 20; each++) {
      memoryBytes = each * 900;
      vi.advanceTimersByTime(250);
      thread.tell({ kind: "pong" });
    }
    expect(thread.isEnded).toBe(false);
  });
});

describe("a lane that cannot be started", () => {
  test("refuses its requests, and those of the next second without another try", async () => {
    const lanes = lanesOf();
    const all = ["/1", "/2", "/3", "/4", "/5"].map((path) => send(lanes, path));
    threads[0]?.fail({ kind: "failed", error: new Error("no such file") });
    for (const { answered } of all) expect(await answered).toMatchObject({ status: { code: 503 } });
    expect(logged).toMatchObject([{ severity: "error", stack: expect.stringContaining("no such file") }]);
    expect(await send(lanes, "/6").answered).toMatchObject({ status: { code: 503 } });
    expect(threads).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    const sent = send(lanes, "/7");
    ready(threads[1]).answer("/7");
    expect(await sent.answered).toBe("/7");
  });

  test("is none when opening it throws", async () => {
    const lanes = lanesOf({
      open() {
        throw new Error("no more threads");
      },
    });
    expect(await send(lanes, "/1").answered).toMatchObject({ status: { code: 503 } });
    expect(ended).toEqual(["start"]);
    expect(logged).toMatchObject([{ stack: expect.stringContaining("no more threads") }]);
  });

  test("is given up after a minute", async () => {
    const lanes = lanesOf();
    const sent = send(lanes, "/1");
    vi.advanceTimersByTime(61_000);
    expect(threads[0]?.isEnded).toBe(true);
    expect(await sent.answered).toMatchObject({ status: { code: 503 } });
  });
});

test("a lane without requests ends after a while", async () => {
  const lanes = lanesOf();
  const sent = send(lanes, "/1");
  ready().answer("/1");
  await sent.answered;
  vi.advanceTimersByTime(59_000);
  expect(threads[0]?.isEnded).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(threads[0]?.isEnded).toBe(true);
  expect(state.lanes).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("closing ends the lanes and refuses what is in them and what comes later", async () => {
  const lanes = lanesOf();
  const all = ["/1", "/2", "/3", "/4", "/5"].map((path) => send(lanes, path));
  lanes.close();
  all.push(send(lanes, "/6"));
  for (const { answered } of all) {
    expect(await answered).toMatchObject({ status: { code: 429, message: "the server is stopping" } });
  }
  expect(threads.map(({ isEnded }) => isEnded)).toEqual([true]);
  expect(vi.getTimerCount()).toBe(0);
});

describe("calls from a lane", () => {
  test("are answered, and refused where that fails", async () => {
    const rules = { resourceRules: [], nonResourceRules: [], incomplete: false };
    const lanes = lanesOf({
      answerQuestion: (question) =>
        question.kind === "token" ? Promise.reject(new Error("down")) : Promise.resolve(rules),
    });
    send(lanes, "/1");
    const thread = ready();
    const user = { name: "a", uid: "", groups: [], extra: {} };
    thread.tell({ kind: "ask", id: 1, question: { kind: "rules", user, namespace: "n" } });
    thread.tell({ kind: "ask", id: 2, question: { kind: "token", token: "t", audiences: [] } });
    await vi.waitFor(() => expect(thread.posted).toHaveLength(3));
    expect(thread.posted.slice(1)).toEqual([
      { kind: "told", id: 1, value: rules },
      { kind: "refused", id: 2, message: "Error: down" },
    ]);
  });
});

test("the answer of a write waits until this thread has seen it, that of a read does not", async () => {
  let seen: () => void = () => undefined;
  const lanes = lanesOf({ written: () => new Promise<void>((resolve) => (seen = resolve)) });
  const write = send(lanes, "/api/v1/namespaces/a", { method: "PUT" });
  const read = send(lanes, "/api/v1/namespaces/b", { method: "GET" });
  const thread = ready();
  thread.answer("/api/v1/namespaces/a");
  thread.answer("/api/v1/namespaces/b");
  expect(await read.answered).toBe("/api/v1/namespaces/b");
  expect(write.exchange.statusCode).toBe(0);
  seen();
  expect(await write.answered).toBe("/api/v1/namespaces/a");
});
