import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StorePoll } from "./store-poll.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function polled(periods: { readonly countPeriodMs: number; readonly sizePeriodMs: number }) {
  const stores = {
    pods: 1 as number | Error,
    bytes: 100 as number | Error,
    counts: 0,
    looks: 0,
    stored: [
      {
        name: "pods",
        count: async () => {
          stores.counts++;
          if (stores.pods instanceof Error) throw stores.pods;
          return stores.pods;
        },
      },
    ],
    sizes: async () => {
      stores.looks++;
      if (stores.bytes instanceof Error) throw stores.bytes;
      return [{ endpoint: "here", bytes: stores.bytes }];
    },
  };
  const stopping = new AbortController();
  return { stores, stopping, poll: new StorePoll({ stores, ...periods, stopping: stopping.signal }) };
}

test("nothing is polled before the first request, then every period, until the end", async () => {
  const { stores, stopping, poll } = polled({ countPeriodMs: 60_000, sizePeriodMs: 30_000 });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(stores).toMatchObject({ counts: 0, looks: 0 });
  const first = await poll.figures();
  expect([...first.objects, ...first.sizes]).toEqual([
    ["pods", 1],
    ["here", 100],
  ]);
  stores.pods = 7;
  stores.bytes = 200;
  expect((await poll.figures()).objects.get("pods")).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stores).toMatchObject({ counts: 2, looks: 3 });
  const later = await poll.figures();
  expect([...later.objects.values(), ...later.sizes.values()]).toEqual([7, 200]);
  stopping.abort();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(stores).toMatchObject({ counts: 2, looks: 3 });
});

test("a period that is too long for a timer is not taken for none", async () => {
  const periodMs = 100 * 24 * 3_600_000;
  const { stores, poll } = polled({ countPeriodMs: periodMs, sizePeriodMs: periodMs });
  await poll.figures();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stores).toMatchObject({ counts: 1, looks: 1 });
});

test("a period of 0 turns polling off", async () => {
  const { stores, poll } = polled({ countPeriodMs: 0, sizePeriodMs: 0 });
  const figures = await poll.figures();
  expect([figures.objects.size, figures.sizes.size, stores.counts, stores.looks]).toEqual([0, 0, 0, 0]);
});

test("a count that fails is -1, a size that fails is the last one", async () => {
  const { stores, poll } = polled({ countPeriodMs: 1000, sizePeriodMs: 1000 });
  await poll.figures();
  stores.pods = new Error("away");
  stores.bytes = new Error("away");
  await vi.advanceTimersByTimeAsync(1000);
  const figures = await poll.figures();
  expect([figures.objects.get("pods"), figures.sizes.get("here")]).toEqual([-1, 100]);
});
