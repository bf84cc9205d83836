import { setMaxListeners } from "node:events";
import { expect, test } from "vitest";
import { FairQueues } from "./fair-queues.js";
import { NoSeatError, type Seat, type Work } from "./seat.js";
import { flowHash } from "./shuffle-sharding.js";
import { FakeClock } from "./testing/fake-clock.js";
import { oneSeat } from "./work-estimate.js";

const queuing = { queues: 64, handSize: 6, queueLengthLimit: 50 };
const never = new AbortController();
// Every waiting request is one.
setMaxListeners(0, never.signal);

function open(options: { seats: number; queuing?: typeof queuing | undefined; waitMs?: number }) {
  const clock = new FakeClock();
  const queues = new FairQueues<{ readonly flow: string; readonly hash: number }>({
    queuing,
    waitMs: 15_000,
    clock,
    ...options,
  });
  const enter = (flow: string, work: Work = oneSeat, waiter = never): Promise<Seat> | Seat =>
    queues.enter({ flow, hash: flowHash("schema", flow) }, work, waiter);
  return { clock, queues, enter };
}

async function reasonOf(entered: () => Promise<Seat> | Seat): Promise<string> {
  try {
    await entered();
    return "admitted";
  } catch (error) {
    return error instanceof NoSeatError ? error.reason : String(error);
  }
}

test("a request runs at once while there are seats", () => {
  const { queues, enter } = open({ seats: 2 });
  expect(enter("a")).not.toBeInstanceOf(Promise);
  expect(enter("b")).not.toBeInstanceOf(Promise);
  expect(enter("c")).toBeInstanceOf(Promise);
  expect([queues.running, queues.seatsInUse, queues.waiting]).toEqual([2, 2, 1]);
});

test("without queues what finds no seat is refused", async () => {
  const { enter } = open({ seats: 1, queuing: undefined });
  void enter("a");
  expect(await reasonOf(() => enter("a"))).toBe("concurrency-limit");
});

test("a full queue refuses, a long wait ends, and a client that leaves gives its place up", async () => {
  const { clock, queues, enter } = open({
    seats: 1,
    queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 },
    waitMs: 1000,
  });
  void enter("a");
  const leaving = new AbortController();
  const left = reasonOf(() => enter("b", oneSeat, leaving));
  const late = reasonOf(() => enter("c"));
  expect(await reasonOf(() => enter("d"))).toBe("queue-full");
  leaving.abort();
  expect(await left).toBe("cancelled");
  await clock.advance(1000);
  expect(await late).toBe("time-out");
  expect(queues.waiting).toBe(0);
});

test("a released seat goes to the next, and is released once", async () => {
  const { queues, enter } = open({ seats: 1 });
  const first = await enter("a");
  const second = enter("a");
  first.release();
  first.release();
  await second;
  expect([queues.running, queues.seatsInUse, queues.waiting]).toEqual([1, 1, 0]);
});

test("a request with several seats waits for all of them, and its flow waits with it", async () => {
  const { enter, queues } = open({ seats: 4, queuing: { queues: 64, handSize: 1, queueLengthLimit: 50 } });
  const running = [await enter("a"), await enter("a"), await enter("a")];
  let isAdmitted = false;
  const wide = Promise.resolve(enter("wide", { ...oneSeat, seats: 4 })).then((seat) => {
    isAdmitted = true;
    return seat;
  });
  const behind = enter("wide");
  expect(behind).toBeInstanceOf(Promise);
  for (const seat of running) {
    expect(isAdmitted).toBe(false);
    seat.release();
    await Promise.resolve();
  }
  (await wide).release();
  await behind;
  expect(queues.waiting).toBe(0);
});

test("a request that is wider than its level runs alone", async () => {
  const { enter, queues } = open({ seats: 2 });
  const wide = await enter("a", { ...oneSeat, seats: 10 });
  expect([queues.seatsInUse, queues.running]).toEqual([2, 1]);
  wide.release();
  expect(queues.seatsInUse).toBe(0);
});

test("a write keeps seats after its response", async () => {
  const { clock, enter, queues } = open({ seats: 4 });
  const write = await enter("a", { seats: 1, finalSeats: 3, finalMs: 20 });
  write.release();
  expect([queues.running, queues.seatsInUse]).toEqual([0, 3]);
  await clock.advance(20);
  expect(queues.seatsInUse).toBe(0);
});

test("with more seats those that wait run, and with fewer none is ended", async () => {
  const { enter, queues } = open({ seats: 1 });
  for (let i = 0; i < 4; i++) void enter(`flow ${i}`);
  queues.configure(queuing, 3);
  expect([queues.running, queues.waiting]).toEqual([3, 1]);
  queues.configure({ ...queuing, queues: 1, handSize: 1 }, 1);
  expect([queues.running, queues.waiting]).toEqual([3, 1]);
});

interface Flow {
  readonly name: string;
  /** Concurrent requests of the flow: it sends the next one when one is answered. */
  readonly clients: number;
  readonly work: Work;
  readonly runMs: number;
}

/** Runs closed-loop clients for `ms` and returns the seat-milliseconds that each flow got. */
async function simulate(seats: number, flows: readonly Flow[], ms: number): Promise<Map<string, number>> {
  const { clock, enter } = open({ seats, queuing: { ...queuing, queueLengthLimit: 1000 }, waitMs: 1e9 });
  const served = new Map<string, number>();
  let isOver = false;
  const run = async ({ name, work, runMs }: Flow): Promise<void> => {
    while (!isOver) {
      const seat = await enter(name, work);
      await new Promise<void>((resolve) => clock.after(runMs, resolve));
      seat.release();
      served.set(name, (served.get(name) ?? 0) + work.seats * runMs);
    }
  };
  for (const flow of flows) for (let i = 0; i < flow.clients; i++) void run(flow);
  await clock.advance(ms);
  isOver = true;
  return served;
}

test.each<[string, readonly Flow[]]>([
  [
    "many requests of one flow",
    [
      { name: "elephant", clients: 200, work: oneSeat, runMs: 10 },
      { name: "mouse", clients: 10, work: oneSeat, runMs: 10 },
    ],
  ],
  [
    "long requests of one flow",
    [
      { name: "elephant", clients: 50, work: oneSeat, runMs: 100 },
      { name: "mouse", clients: 50, work: oneSeat, runMs: 5 },
    ],
  ],
  [
    "wide requests of one flow",
    [
      { name: "elephant", clients: 40, work: { ...oneSeat, seats: 5 }, runMs: 10 },
      { name: "mouse", clients: 40, work: oneSeat, runMs: 10 },
    ],
  ],
])("two flows with enough to do get equal shares in spite of %s", async (_what, flows) => {
  const served = await simulate(10, flows, 20_000);
  const [elephant = 0, mouse = 0] = flows.map(({ name }) => served.get(name) ?? 0);
  // The ideal is half of 10 seats for 20 s each; a wide request leaves seats idle while it waits for more.
  expect(mouse).toBeGreaterThan(0.85 * 100_000);
  expect(elephant).toBeGreaterThan(0.75 * 100_000);
});

test("a level with ten million queues keeps those that are used", async () => {
  const { queues, enter } = open({
    seats: 1,
    queuing: { queues: 10_000_000, handSize: 2, queueLengthLimit: 50 },
  });
  void enter("busy");
  void enter("spare");
  for (let flow = 0; flow < 6000; flow++) {
    const leaving = new AbortController();
    const refused = reasonOf(() => enter(`flow ${flow}`, oneSeat, leaving));
    leaving.abort();
    expect(await refused).toBe("cancelled");
  }
  void enter("waiting");
  expect([queues.running, queues.waiting, queues.activeQueues]).toEqual([1, 2, 2]);
  const shown = [...queues.dump()];
  expect(shown.length).toBeLessThan(10_010);
  expect(shown.filter(({ waiting }) => waiting.length > 0)).toHaveLength(2);
});

/** The max-min fair share of each flow: none gets more than it can use, and what is left is shared equally. */
function idealShares(seats: number, flows: readonly Flow[]): Map<string, number> {
  const shares = new Map<string, number>();
  let left = seats;
  const wanted = flows.map(({ name, clients, work }) => ({ name, seats: clients * work.seats }));
  wanted.sort((a, b) => a.seats - b.seats);
  for (const [index, { name, seats: most }] of wanted.entries()) {
    const share = Math.min(most, left / (wanted.length - index));
    shares.set(name, share);
    left -= share;
  }
  return shares;
}

test("flows of very different sizes get nearly their ideal shares", async () => {
  const flows = [
    { name: "elephant", clients: 300, work: oneSeat, runMs: 40 },
    { name: "second elephant", clients: 100, work: { ...oneSeat, seats: 3 }, runMs: 15 },
    { name: "cow", clients: 20, work: oneSeat, runMs: 5 },
    { name: "dog", clients: 8, work: oneSeat, runMs: 10 },
    { name: "mouse", clients: 1, work: oneSeat, runMs: 20 },
  ];
  const served = await simulate(30, flows, 10_000);
  for (const [name, seats] of idealShares(30, flows)) {
    const share = (served.get(name) ?? 0) / 10_000 / seats;
    // While its only request waits, the flow has less work than it could.
    expect(share, name).toBeGreaterThan(0.7);
    expect(share, name).toBeLessThan(1.4);
  }
});

test("a flow that was idle has saved up no right to more than its share", async () => {
  const { clock, enter } = open({ seats: 10, queuing: { ...queuing, queueLengthLimit: 1000 }, waitMs: 1e9 });
  const answered = new Map([
    ["busy", 0],
    ["late", 0],
  ]);
  const run = async (flow: string, untilMs = Number.POSITIVE_INFINITY): Promise<void> => {
    while (clock.now() < untilMs) {
      const seat = await enter(flow);
      await new Promise<void>((resolve) => clock.after(10, resolve));
      seat.release();
      answered.set(flow, (answered.get(flow) ?? 0) + 1);
    }
  };
  for (let i = 0; i < 50; i++) {
    void run("busy");
    void run("late", 100);
  }
  await clock.advance(5000);
  const before = new Map(answered);
  for (let i = 0; i < 50; i++) void run("late");
  await clock.advance(1000);
  // A thousand requests run in that time.
  for (const [flow, count] of answered) expect(count - (before.get(flow) ?? 0), flow).toBeGreaterThan(400);
});

test("a mouse, which needs little, gets all it needs next to an elephant", async () => {
  const flows = [
    { name: "elephant", clients: 300, work: oneSeat, runMs: 20 },
    { name: "mouse", clients: 1, work: oneSeat, runMs: 20 },
  ];
  const beside = (await simulate(10, flows, 20_000)).get("mouse") ?? 0;
  const alone = (await simulate(10, flows.slice(1), 20_000)).get("mouse") ?? 0;
  expect(beside).toBe(alone);
});

test("a flow that needs less than its share hardly waits, also for requests that find no spare seat", async () => {
  const flows = [
    { name: "elephant", clients: 300, work: oneSeat, runMs: 20 },
    { name: "mouse", clients: 4, work: oneSeat, runMs: 20 },
  ];
  const served = (await simulate(10, flows, 20_000)).get("mouse") ?? 0;
  const alone = (await simulate(10, flows.slice(1), 20_000)).get("mouse") ?? 0;
  expect(served).toBeGreaterThan(0.8 * alone);
});

test("a flow that has nothing under way does not wait for seats that others keep", async () => {
  const { queues, enter } = open({ seats: 10 });
  for (let i = 0; i < 100; i++) void enter("elephant");
  expect([queues.running, queues.waiting]).toEqual([10, 90]);
  const first = enter("mouse");
  expect(first).not.toBeInstanceOf(Promise);
  expect(enter("other mouse")).not.toBeInstanceOf(Promise);
  expect(queues.seatsInUse).toBe(12);
  expect(enter("late mouse")).toBeInstanceOf(Promise);
  (await first).release();
  expect(enter("next mouse")).not.toBeInstanceOf(Promise);
  expect(enter("elephant")).toBeInstanceOf(Promise);
});

test("a level whose seats are withheld still has its spare seats, for as much work as before", async () => {
  const { queues, enter } = open({ seats: 30 });
  queues.configure(queuing, 1, 29);
  void enter("elephant");
  expect(enter("elephant")).not.toBeInstanceOf(Promise);
  for (let more = 0; more < 10; more++) expect(enter("elephant")).toBeInstanceOf(Promise);
  for (const mouse of ["a", "b"]) expect(enter(mouse)).not.toBeInstanceOf(Promise);
  const wide = { ...oneSeat, seats: 4 };
  expect(enter("wide mouse", wide)).toBeInstanceOf(Promise);
  expect(enter("less wide", { ...oneSeat, seats: 3 })).not.toBeInstanceOf(Promise);
  expect(queues.seatsInUse).toBe(7);
});

test("a wide request does not wait for mice", async () => {
  const { queues, enter } = open({ seats: 10 });
  const busy = await enter("elephant");
  const wide = enter("wide", { ...oneSeat, seats: 10 });
  const mice = [await enter("mouse"), await enter("other mouse")];
  expect(queues.waiting).toBe(1);
  busy.release();
  await wide;
  expect([queues.seatsInUse, queues.waiting]).toEqual([12, 0]);
  for (const mouse of mice) mouse.release();
  expect(queues.seatsInUse).toBe(10);
});
