import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { toRevision } from "../kv.js";
import type { ObjectAttributes, WatchEvent } from "../object-store.js";
import { type ObjectGround, shownList } from "./object-ground.js";
import { settle } from "./recorded-sink.js";
import type { TestObject } from "./test-object.js";

interface ModelObject {
  readonly value: string;
  readonly team: string;
  readonly revision: number;
}

type ModelState = ReadonlyMap<string, ModelObject>;

const names = ["a/x", "a/y", "b/x", "b/y", "c/x"] as const;
const operation = fc.record({
  key: fc.constantFrom(...names),
  kind: fc.constantFrom("put", "put", "put", "delete", "elsewhere"),
  value: fc.constantFrom("1", "2", "3"),
  team: fc.constantFrom("red", "blue"),
});
const selection = fc.constantFrom(
  { prefix: "" },
  { prefix: "a/" },
  { prefix: "b/", key: "b/x" },
  { prefix: "", matches: ({ labels }: ObjectAttributes) => labels.team === "red" },
);

export function describeHistoryOfObjects(ground: () => ObjectGround): void {
  describe("history", () => {
    test("lists at every version and watches from every version agree with a model", async () => {
      const g = ground();
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { minLength: 1, maxLength: 25 }),
          fc.array(fc.record({ selection, at: fc.nat(100) }), { minLength: 1, maxLength: 6 }),
          async (operations, watches) => {
            for (const { key } of (await g.list()).items) await g.delete(key);
            const base = await g.elsewhere();
            const states = new Map<number, ModelState>([[base, new Map()]]);
            let state: ModelState = new Map();
            const early = watches.map(({ selection }) => g.watch({ ...selection }));
            for (const { key, kind, value, team } of operations) {
              const next = new Map(state);
              const revision = await perform(g, state, { key, kind, value, team });
              // A put that changes nothing writes nothing.
              if (states.has(revision)) continue;
              if (kind === "delete") next.delete(key);
              else if (kind === "put") next.set(key, { value, team, revision });
              state = next;
              states.set(revision, state);
            }
            const last = await g.elsewhere();
            states.set(last, state);
            for (const [revision, expected] of states) {
              const at = { kind: "exact", revision: toRevision(revision) } as const;
              expect(shownList(await g.list({ at }))).toEqual(showState(expected));
              expect((await g.pages({ at, limit: 2 })).flatMap(shownList)).toEqual(showState(expected));
            }
            const end = await g.create("z/end", "end");
            const revisions = [...states.keys()];
            for (const { selection, at } of watches) {
              const from = revisions[at % revisions.length] ?? base;
              const sink = await g.watchAfter(from, selection);
              const expected = expectedEvents(states, from, selection);
              await sink.untilCount(expected.length);
              await settle();
              const shown = sink.shown().filter((event) => !event.includes("z/end"));
              expect(shown).toEqual(expected);
              sink.handle.stop();
            }
            for (const [index, pending] of early.entries()) {
              const sink = await pending;
              const chosen = watches[index]?.selection ?? { prefix: "" };
              const expected = expectedEvents(states, base, chosen);
              await sink.untilCount(expected.length);
              await settle();
              const after = sink.received.filter(({ revision }) => revision > base && revision < end);
              // The initial state may already contain the first objects, as ADDED.
              expect(replay(after)).toEqual(
                showState(states.get(last) ?? new Map()).filter((item) =>
                  isSelected(item, states.get(last), chosen),
                ),
              );
              sink.handle.stop();
            }
            await g.delete("z/end");
          },
        ),
        { numRuns: 12 },
      );
    });
  });
}

async function perform(
  g: ObjectGround,
  state: ModelState,
  { key, kind, value, team }: { key: string; kind: string; value: string; team: string },
): Promise<number> {
  const current = state.get(key);
  if (kind === "elsewhere" || (kind === "delete" && current === undefined)) return g.elsewhere();
  if (kind === "delete") return g.delete(key);
  return current === undefined ? g.create(key, value, { team }) : g.set(key, value, { team });
}

function showState(state: ModelState): string[] {
  return [...state]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([key, { value, revision }]) => `${key}=${value}@${revision}`);
}

interface ModelSelection {
  readonly prefix: string;
  readonly key?: string | undefined;
  readonly matches?: ((attributes: ObjectAttributes) => boolean) | undefined;
}

function selected(key: string, object: ModelObject | undefined, selection: ModelSelection): boolean {
  if (object === undefined || !key.startsWith(selection.prefix)) return false;
  if (selection.key !== undefined && selection.key !== key) return false;
  return selection.matches?.({ labels: { team: object.team }, fields: {} }) ?? true;
}

function isSelected(shown: string, state: ModelState | undefined, selection: ModelSelection): boolean {
  const key = shown.slice(0, shown.indexOf("="));
  return selected(key, state?.get(key), selection);
}

/** The events that a watch after `from` must see, derived only from the sequence of states. */
function expectedEvents(
  states: ReadonlyMap<number, ModelState>,
  from: number,
  selection: ModelSelection,
): string[] {
  const events: string[] = [];
  let previous: ModelState | undefined;
  for (const [revision, state] of states) {
    if (revision > from && previous !== undefined) {
      for (const key of names) {
        const before = previous.get(key);
        const after = state.get(key);
        if (before === after) continue;
        const was = selected(key, before, selection);
        const is = selected(key, after, selection);
        if (is) events.push(`${was ? "MODIFIED" : "ADDED"} ${key}=${after?.value}@${revision}`);
        else if (was) events.push(`DELETED ${key}=${before?.value}@${revision}`);
      }
    }
    previous = state;
  }
  return events;
}

function replay(events: readonly WatchEvent<TestObject>[]): string[] {
  const state = new Map<string, string>();
  for (const event of events) {
    if (event.type === "BOOKMARK") continue;
    const { key, revision } = event.object;
    if (event.type === "DELETED") state.delete(key);
    else state.set(key, `${key}=${event.object.decode().value}@${revision}`);
  }
  return [...state].sort(([a], [b]) => compareUtf8(a, b)).map(([, shown]) => shown);
}
