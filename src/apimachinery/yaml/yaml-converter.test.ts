import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { jsonToYaml } from "./json-to-yaml.js";
import { parseYaml } from "./parse-yaml.js";
import { inlineBytesMax, YamlConverter } from "./yaml-converter.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";
import { YamlThread } from "./yaml-thread.js";

const directory = mkdtempSync(join(tmpdir(), "yaml-thread-"));
const script = join(directory, "yaml-worker.mjs");
/** The thread's processor time; undefined as on systems that do not report it. */
let processorMs: number | undefined;
let thread: YamlThread;
let yaml: YamlConverter;

beforeAll(async () => {
  await build({
    entryPoints: ["src/apimachinery/yaml/yaml-worker.ts"],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  processorMs = undefined;
  thread = new YamlThread(pathToFileURL(script), { processorMs: () => processorMs });
  yaml = new YamlConverter(thread);
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const long = `# ${"x".repeat(inlineBytesMax)}\n`;

describe("a long text", () => {
  test.each([
    "a: yes\nb: [1, 2.5, ~]\nc: 12345678901234567890\n__proto__: {d: e}\n",
    "base: &x {a: 1}\nc:\n  <<: *x\n  d: *x",
    "a: b\n---\nc: [",
    `a: ${"[".repeat(200)}${"]".repeat(200)}`,
    "",
  ])("is read as a short one: %j", async (text) => {
    const value = await yaml.parse(Buffer.from(long + text));
    expect(value).toEqual(await parseYaml(Buffer.from(text)));
    expect(thread.isStarted).toBe(true);
  });

  test.each(["a: [1", "a: *x", "~: a", `a: ${"[".repeat(9000)}${"]".repeat(9000)}`, "a: &x [*x]", bomb()])(
    "is refused as a short one: %j",
    async (text) => {
      const whole = Buffer.from(long + text);
      const message = await parseYaml(whole).catch((error) => error.message);
      const refusal = yaml.parse(whole);
      await expect(refusal).rejects.toBeInstanceOf(YamlSyntaxError);
      await expect(refusal).rejects.toThrow(message);
    },
  );

  test("whose aliases repeat long values is refused", async () => {
    const text = `a: &a ${"x".repeat(1_000_000)}\nb: [${"*a,".repeat(99)}*a]`;
    await expect(yaml.parse(Buffer.from(long + text))).rejects.toThrow(YamlSyntaxError);
  });

  test("that is no UTF-8 is refused", async () => {
    const bytes = Buffer.concat([Buffer.from(long), Buffer.from([0xff])]);
    await expect(yaml.parse(bytes)).rejects.toThrow("invalid UTF-8");
  });

  test("has its repeated keys told", async () => {
    const told: unknown[] = [];
    await yaml.parse(Buffer.from(`${long}a: 1\nb: 2\na: 3\n`), (key, line) => told.push([key, line]));
    expect(told).toEqual([["a", 4]]);
  });

  test("keeps its bytes, which others may still read", async () => {
    const bytes = Buffer.from(`${long}a: b\n`);
    await yaml.parse(bytes);
    expect(bytes.toString()).toBe(`${long}a: b\n`);
  });

  test("is printed as a short one", async () => {
    const json = JSON.stringify({ b: "x".repeat(inlineBytesMax), a: ["yes", { d: 1, c: null }] });
    expect(Buffer.from(await yaml.print(Buffer.from(json))).toString()).toBe(await jsonToYaml(json));
    expect(thread.isStarted).toBe(true);
  });

  test("lets short ones pass", async () => {
    const order: string[] = [];
    await Promise.all([
      yaml.parse(Buffer.from(`${long}a: b`)).then(() => order.push("long")),
      yaml.parse(Buffer.from("a: b")).then(() => order.push("short")),
      yaml.print(Buffer.from('{"a":1}')).then(() => order.push("short")),
    ]);
    expect(order).toEqual(["short", "short", "long"]);
  });

  test("of JSON needs no thread", async () => {
    const json = JSON.stringify({ a: "x".repeat(inlineBytesMax) });
    expect(await yaml.parse(Buffer.from(json))).toEqual(JSON.parse(json));
    expect(thread.isStarted).toBe(false);
  });

  test("that takes more memory than there is is refused, and the next one read", async () => {
    const small = new YamlConverter(new YamlThread(pathToFileURL(script), { heapMbMax: 16 }));
    const flood = small.parse(Buffer.from(`a: [${"1,".repeat(100_000)}]`));
    const next = small.parse(Buffer.from(`${long}a: b`));
    await expect(flood).rejects.toThrow(new YamlSyntaxError("document takes too much memory"));
    expect(await next).toEqual({ a: "b" });
  });
});

describe("the client is gone", () => {
  const slow = `a: [${"[1],".repeat(100_000)}]`;

  test("before the turn came", async () => {
    const gone = new AbortController();
    const first = yaml.parse(Buffer.from(`${long}a: 1`));
    const second = yaml.parse(Buffer.from(`${long}a: 2`), undefined, gone.signal);
    const third = yaml.parse(Buffer.from(`${long}a: 3`));
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    expect(await Promise.all([first, third])).toEqual([{ a: 1 }, { a: 3 }]);
  });

  test("while the text is read: the next one does not wait for it", async () => {
    const gone = new AbortController();
    const first = yaml.parse(Buffer.from(slow), undefined, gone.signal);
    const second = yaml.parse(Buffer.from(`${long}a: 2`));
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect(await second).toEqual({ a: 2 });
  });

  test("already", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(yaml.parse(Buffer.from(long), undefined, signal)).rejects.toThrow("gone");
    expect(thread.isStarted).toBe(false);
  });
});

test("the thread ends when there is nothing to do, and starts again", async () => {
  await yaml.parse(Buffer.from(`${long}a: 1`));
  expect(thread.isStarted).toBe(true);
  vi.runAllTimers();
  expect(thread.isStarted).toBe(false);
  expect(await yaml.parse(Buffer.from(`${long}a: 2`))).toEqual({ a: 2 });
});

describe("a text that takes too long to read", () => {
  const endless = `a: [${"[1],".repeat(700_000)}]`;
  const tooLong = new YamlSyntaxError("document takes too long to read");

  test("is refused, and the next one read", async () => {
    await yaml.parse(Buffer.from(`${long}a: b`));
    const refused = yaml.parse(Buffer.from(endless));
    const next = yaml.parse(Buffer.from(`${long}a: b`));
    vi.advanceTimersByTime(20_000);
    await expect(refused).rejects.toThrow(tooLong);
    expect(await next).toEqual({ a: "b" });
  });

  test("is one that takes much processor time, where that is known: a busy machine refuses nothing", async () => {
    processorMs = 5000;
    await yaml.parse(Buffer.from(`${long}a: b`));
    const text = yaml.parse(Buffer.from(endless));
    const refused = expect(text).rejects.toThrow(tooLong);
    const settled = vi.fn();
    text.catch(settled);
    processorMs = 24_900;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(settled).not.toHaveBeenCalled();
    processorMs = 25_000;
    await vi.advanceTimersByTimeAsync(250);
    await refused;
  });

  test("may be one whose thread hardly runs", async () => {
    processorMs = 0;
    await yaml.parse(Buffer.from(`${long}a: b`));
    const text = yaml.parse(Buffer.from(endless));
    const refused = expect(text).rejects.toThrow(tooLong);
    await vi.advanceTimersByTimeAsync(120_000);
    await refused;
  });
});

test("the time that a thread takes to start does not count", async () => {
  const text = yaml.parse(Buffer.from(`${long}a: 1`));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(await text).toEqual({ a: 1 });
});

test("what takes too long to print stays JSON, which is YAML", async () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({ [`b${i}`]: "yes", a: [i] }));
  const json = JSON.stringify(items);
  await yaml.parse(Buffer.from(`${long}a: b`));
  const printed = yaml.print(Buffer.from(json));
  vi.advanceTimersByTime(20_000);
  const text = Buffer.from(await printed).toString();
  expect(text.startsWith('- {"b0":"yes","a":[0]}\n- {"b1":')).toBe(true);
  expect(`[${text.trimEnd().replace(/^- /gm, "").replaceAll("\n", ",")}]` === json).toBe(true);
});

test("what takes too much memory to print stays JSON, which is YAML", async () => {
  const small = new YamlConverter(new YamlThread(pathToFileURL(script), { heapMbMax: 16 }));
  const json = JSON.stringify({ b: Array.from({ length: 150_000 }, () => 1), a: 1 });
  expect(Buffer.from(await small.print(Buffer.from(json))).toString()).toBe(`${json}\n`);
});

test("a thread that cannot start fails what was asked of it", async () => {
  const broken = new YamlConverter(new YamlThread(pathToFileURL(join(directory, "nothing.mjs"))));
  await expect(broken.parse(Buffer.from(`${long}a: 1`))).rejects.toThrow("nothing.mjs");
  await expect(broken.parse(Buffer.from(`${long}a: 1`))).rejects.toThrow("nothing.mjs");
});

test("without a thread everything is done at once", async () => {
  const alone = new YamlConverter();
  expect(await alone.parse(Buffer.from(`${long}a: 1`))).toEqual({ a: 1 });
  const json = JSON.stringify({ a: "x".repeat(inlineBytesMax) });
  expect(Buffer.from(await alone.print(Buffer.from(json))).toString()).toBe(await jsonToYaml(json));
});

/** Aliases that stand for more than memory holds. */
function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++) {
    lines.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(", ")}]`);
  }
  return lines.join("\n");
}

test.runIf(process.platform === "linux")("the thread leaves the processor to the event loop", async () => {
  await yaml.parse(Buffer.from(`${long}a: b`));
  const threads = await readdir("/proc/self/task");
  const stats = await Promise.all(
    threads.map((id) => readFile(`/proc/self/task/${id}/stat`, "utf8").catch(() => "")),
  );
  // The seventeenth field behind the name, which ends with a bracket.
  const niceness = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16] ?? 0));
  expect(Math.max(...niceness)).toBeGreaterThan(getPriority());
});
