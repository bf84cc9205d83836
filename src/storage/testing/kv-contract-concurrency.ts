import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KvEvent, noRevision, type Operation, type Revision, toRevision } from "../kv.js";
import { describeEvent, type KvGround, toText } from "./kv-ground.js";
import { KvModel } from "./kv-model.js";

export function describeConcurrency(ground: () => KvGround): void {
  describe("concurrency", () => {
    test("of 200 writers that compare the same revision exactly one wins, each time", async () => {
      let expected: Revision = noRevision;
      for (let round = 0; round < 5; round++) {
        const results = await Promise.all(
          Array.from({ length: 200 }, (_, writer) =>
            ground().compareAndPut("contended", expected, `${round} by ${writer}`),
          ),
        );
        const winners = results.flatMap((result, writer) => (result.succeeded ? [writer] : []));
        expect(winners.length).toBe(1);
        const kv = await ground().get("contended");
        expect(toText(kv?.value ?? new Uint8Array())).toBe(`${round} by ${winners[0]}`);
        expect(kv?.modRevision).toBe(expected === noRevision ? kv?.createRevision : expected + 1);
        expected = kv?.modRevision ?? noRevision;
      }
    });

    test("a counter raised by 200 writers at once loses no step", async () => {
      const increment = async (): Promise<void> => {
        let at: Revision = noRevision;
        let value = 0;
        for (;;) {
          const result = await ground().compareAndPut("counter", at, String(value + 1));
          if (result.succeeded) return;
          const [read] = result.results;
          const kv = read?.kind === "range" ? read.result.kvs[0] : undefined;
          at = kv?.modRevision ?? noRevision;
          value = kv === undefined ? 0 : Number(toText(kv.value));
        }
      };
      await Promise.all(Array.from({ length: 40 }, increment));
      expect(await ground().contents()).toEqual({ counter: "40" });
      expect((await ground().get("counter"))?.version).toBe(40);
    });

    test("200 writers of their own keys get revisions without a gap", async () => {
      const before = await ground().store.currentRevision();
      const revisions = await Promise.all(
        Array.from({ length: 200 }, (_, writer) => ground().put(`own/${writer}`, String(writer))),
      );
      expect([...revisions].sort((a, b) => a - b)).toEqual(
        Array.from({ length: 200 }, (_, index) => before + 1 + index),
      );
    });

    test("many large values at once are all written and read back", async () => {
      const value = (writer: number): Buffer => Buffer.alloc(1024 * 1024, `value of ${writer}, `);
      const writers = Array.from({ length: 40 }, (_, writer) => writer);
      await Promise.all(writers.map((writer) => ground().put(`large/${writer}`, value(writer))));
      const found = await Promise.all(writers.map((writer) => ground().get(`large/${writer}`)));
      for (const writer of writers) {
        expect(value(writer).equals(found[writer]?.value ?? new Uint8Array())).toBe(true);
      }
      const { kvs } = await ground().store.range(ground().all());
      expect(kvs.length).toBe(40);
    });

    test("a write that was acknowledged is in every later read", async () => {
      await Promise.all(
        Array.from({ length: 50 }, async (_, writer) => {
          for (let step = 0; step < 5; step++) {
            const revision = await ground().put(`own/${writer}`, String(step));
            const read = await ground().store.range({ start: ground().key(`own/${writer}`) });
            expect(read.kvs[0]?.modRevision).toBe(revision);
            expect(read.revision).toBeGreaterThanOrEqual(revision);
            expect(await ground().store.currentRevision()).toBeGreaterThanOrEqual(revision);
          }
        }),
      );
    });

    test("watches made anywhere in a busy history skip and repeat nothing", async () => {
      const first = await ground().put("key/0", "start");
      const starts: Promise<void>[] = [];
      const seen: { from: Revision; revisions: number[] }[] = [];
      const total = 800;
      let written = 0;
      let last = first;
      const observe = (from: Revision): Promise<void> => {
        const observed = ground()
          .history(from, toRevision(first + total))
          .then((events) => {
            seen.push({ from, revisions: events.map((event) => event.kv.modRevision) });
          });
        observed.catch(() => undefined); // reported below
        return observed;
      };
      await Promise.all(
        Array.from({ length: 40 }, async (_, writer) => {
          while (written < total) {
            written += 1;
            last = await ground().put(`key/${writer}`, String(written));
            if (written % 50 === 0)
              starts.push(
                observe(last),
                observe(toRevision(Math.min(last + 5, first + total))),
                observe(first),
              );
          }
        }),
      );
      starts.push(observe(first), observe(last));
      expect(await ground().store.currentRevision()).toBe(first + total);
      await Promise.all(starts);
      for (const { from, revisions } of seen) {
        const length = first + total - from + 1;
        expect(revisions).toEqual(Array.from({ length }, (_, index) => from + index));
      }
    });

    test("any sequence of transactions does what the model does", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), runs(), async (steps, run) => {
          await behavesLikeModel(ground(), `run-${run}/`, steps);
        }),
        { numRuns: 40, seed: 20211207, endOnFailure: true },
      );
    });
  });
}

type Step =
  | {
      readonly kind: "put";
      readonly names: readonly string[];
      readonly value: string;
      readonly alone: boolean;
    }
  | { readonly kind: "delete"; readonly name: string; readonly end: string | undefined }
  | { readonly kind: "compare"; readonly name: string; readonly ago: number; readonly value: string };

const name = fc.constantFrom("a", "a/b", "b", "b/a", "é", "～", "\u{1f600}");

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    value: fc.string({ maxLength: 5 }),
    alone: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("delete" as const), name, end: fc.option(name, { nil: undefined }) }),
  fc.record({
    kind: fc.constant("compare" as const),
    name,
    ago: fc.nat({ max: 2 }),
    value: fc.string({ maxLength: 5 }),
  }),
);

/** A fresh number for each run, so that runs do not collide in a store that persists. */
function runs(): fc.Arbitrary<number> {
  let run = 0;
  return fc.constant(0).map(() => {
    run += 1;
    return run;
  });
}

/** Runs some steps concurrently and others one by one on both, then compares the whole history and its watch. */
async function behavesLikeModel(ground: KvGround, prefix: string, steps: readonly Step[]): Promise<void> {
  const model = new KvModel(await ground.store.currentRevision());
  const first = toRevision(model.revision + 1);
  const under = ground.under(prefix);
  const live = ground.watch(under);
  for (const each of steps) {
    const transaction = toTransaction(ground, prefix, each, model);
    const result = await ground.store.transact(transaction);
    expect(result).toEqual(model.transact(transaction));
  }

  for (let revision = first; revision <= model.revision; revision = toRevision(revision + 1)) {
    const { kvs, count } = await ground.store.range({ ...under, revision });
    expect(kvs.map(plain)).toEqual(model.range({ ...under, revision }).kvs.map(plain));
    expect(count).toBe(kvs.length);
  }
  if (model.revision < first) return live.stop();
  const expected = model.events(under).map((event) => describeEvent(ground, event));
  const tell = (events: readonly KvEvent[]): string[] => events.map((event) => describeEvent(ground, event));
  expect(tell(await live.until(model.revision))).toEqual(expected);
  expect(tell(await ground.history(first, model.revision, under))).toEqual(expected);
  await live.stop();
}

function toTransaction(
  ground: KvGround,
  prefix: string,
  each: Step,
  model: KvModel,
): Parameters<KvModel["transact"]>[0] {
  const key = (of: string): string => ground.key(prefix + of);
  const operations: Operation[] = [];
  switch (each.kind) {
    case "put":
      for (const of of each.names) operations.push(ground.putOperation(prefix + of, each.value));
      if (!each.alone) operations.push({ kind: "range", range: ground.under(prefix) });
      return { compare: [], success: operations, failure: [] };
    case "delete":
      operations.push({
        kind: "delete",
        range: { start: key(each.name), end: each.end === undefined ? undefined : key(each.end) },
      });
      return { compare: [], success: operations, failure: [] };
    case "compare": {
      const revision = toRevision(Math.max(0, model.modRevision(key(each.name)) - each.ago));
      return {
        compare: [{ key: key(each.name), target: "mod", revision }],
        success: [ground.putOperation(prefix + each.name, each.value)],
        failure: [{ kind: "range", range: { start: key(each.name) } }],
      };
    }
    default:
      return each satisfies never;
  }
}

function plain(kv: {
  readonly key: string;
  readonly value: Uint8Array;
  readonly modRevision: number;
}): unknown {
  return { ...kv, value: toText(kv.value) };
}
