import { CelRuntimeError } from "./cel-error.js";
import { keyOf } from "./cel-functions.js";
import { CelList, CelMap, type CelValue } from "./cel-value.js";
import type { Frame, Run } from "./compiled.js";

export interface Step {
  readonly frame: Frame;
  readonly at: number;
  readonly body: Run;
  readonly transform: Run | undefined;
}

export const comprehensions: Readonly<Record<string, (values: Iterable<CelValue>, step: Step) => CelValue>> =
  {
    all: (values, step) => quantified(values, step, false),
    exists: (values, step) => quantified(values, step, true),
    exists_one(values, step) {
      let count = 0;
      for (const value of values) if (isMet(step, value)) count++;
      return count === 1;
    },
    filter(values, step) {
      const kept: CelValue[] = [];
      for (const value of values) if (isMet(step, value)) kept.push(value);
      return CelList.of(kept);
    },
    map(values, step) {
      const { frame, at, body, transform } = step;
      const made: CelValue[] = [];
      for (const value of values) {
        if (transform !== undefined && !isMet(step, value)) continue;
        frame.slots[at] = value;
        frame.budget.spend(2);
        made.push((transform ?? body)(frame));
      }
      return CelList.of(made);
    },
  };

type EntryRun = (key: CelValue, value: CelValue) => CelValue;

export function quantifiedEntries(
  name: string,
  entries: Iterable<readonly [CelValue, CelValue]>,
  test: (key: CelValue, value: CelValue) => CelValue | CelRuntimeError,
): boolean {
  const wantsOne = name === "existsOne" || name === "exists_one";
  let count = 0;
  let failure: CelRuntimeError | undefined;
  for (const [key, value] of entries) {
    const met = test(key, value);
    if (met instanceof CelRuntimeError) {
      if (wantsOne) throw met;
      failure ??= met;
      continue;
    }
    if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
    if (met) count++;
    if (met && name === "exists") return true;
    if (!met && name === "all") return false;
  }
  if (failure !== undefined) throw failure;
  return name === "all" || (wantsOne && count === 1);
}

export function transformed(
  name: string,
  entries: Iterable<readonly [CelValue, CelValue]>,
  { isKept, make }: { isKept(key: CelValue, value: CelValue): boolean; readonly make: EntryRun },
): CelValue {
  const list: CelValue[] = [];
  const map = new Map<string | bigint | boolean, CelValue>();
  for (const [key, value] of entries) {
    if (!isKept(key, value)) continue;
    const made = make(key, value);
    if (name === "transformList") list.push(made);
    else if (name === "transformMap") map.set(keyOf(key), made);
    else if (made instanceof CelMap) {
      for (const entry of made.keys()) {
        if (map.has(entry)) throw new CelRuntimeError(`insert failed: key ${String(entry)} already exists`);
        map.set(entry, made.get(entry) ?? null);
      }
    } else throw new CelRuntimeError("no such overload");
  }
  return name === "transformList" ? CelList.of(list) : CelMap.of(map);
}

/** Stops at the first value that decides; an error counts only if no value decides. */
function quantified(values: Iterable<CelValue>, { frame, at, body }: Step, decides: boolean): boolean {
  let failure: CelRuntimeError | undefined;
  for (const value of values) {
    frame.slots[at] = value;
    frame.budget.spend(2);
    const met = attempt(body, frame);
    if (met === decides) return decides;
    if (met instanceof CelRuntimeError) failure ??= met;
    else if (typeof met !== "boolean") failure ??= new CelRuntimeError("no such overload");
  }
  if (failure !== undefined) throw failure;
  return !decides;
}

function isMet({ frame, at, body }: Step, value: CelValue): boolean {
  frame.slots[at] = value;
  frame.budget.spend(2);
  const met = body(frame);
  if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
  return met;
}

export function attempt(run: Run, frame: Frame): CelValue | CelRuntimeError {
  try {
    return run(frame);
  } catch (error) {
    if (!(error instanceof CelRuntimeError)) throw error;
    frame.budget.spend(caughtSteps);
    return error;
  }
}

/** Making and catching an error takes tens of microseconds. */
const caughtSteps = 1_000;
