import { Profile } from "pprof-format";
import { expect, test } from "vitest";
import { type CallNode, encodePprof } from "./pprof-profile.js";

const node = (functionName: string, value: number, ...children: CallNode[]): CallNode => ({
  callFrame: { functionName, url: "file:///a.js", lineNumber: 4 },
  values: [value],
  children,
});

/** `value: innermost < … < outermost` of each sample, as a reader of the format sees them. */
async function read(root: CallNode): Promise<string[]> {
  const bytes = await encodePprof({
    kinds: [{ type: "space", unit: "bytes" }],
    period: { kind: { type: "space", unit: "bytes" }, value: 512 },
    startedAt: new Date(5),
    durationMs: 1000,
    root,
  });
  const profile = Profile.decode(Buffer.from(bytes));
  const { strings } = profile.stringTable;
  expect(profile.sampleType.map(({ type, unit }) => [strings[Number(type)], strings[Number(unit)]])).toEqual([
    ["space", "bytes"],
  ]);
  expect([profile.timeNanos, profile.durationNanos, profile.period].map(Number)).toEqual([5e6, 1e9, 512]);
  const functions = new Map(profile.function.map((each) => [each.id, each]));
  const locations = new Map(profile.location.map((each) => [each.id, each]));
  return profile.sample.map(({ value, locationId }) => {
    const names = locationId.map((id) => {
      const line = locations.get(id)?.line[0];
      const called = line && functions.get(line.functionId);
      return `${strings[Number(called?.name)]}:${line?.line}`;
    });
    return `${value.join()}: ${names.join(" < ")}`;
  });
}

test("each place with a value is a sample with its callers", async () => {
  const tree = node("(root)", 0, node("main", 0, node("parse", 7), node("", 3, node("parse", 1))));
  expect((await read(tree)).sort()).toEqual([
    "1: parse:5 < (anonymous):5 < main:5",
    "3: (anonymous):5 < main:5",
    "7: parse:5 < main:5",
  ]);
});

test("idle time is charged to no caller", async () => {
  expect(await read(node("(root)", 0, node("(idle)", 9), node("main", 1)))).toEqual(["1: main:5"]);
});

test("calls nested deeply do not overflow", async () => {
  let deep = node("leaf", 1);
  for (let i = 0; i < 20_000; i++) deep = node("f", 0, deep);
  expect(await read(node("(root)", 0, deep))).toHaveLength(1);
});
