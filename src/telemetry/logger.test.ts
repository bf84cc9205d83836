import { expect, test } from "vitest";
import { LogLevels } from "./log-levels.js";
import { createLogger } from "./logger.js";

function ground() {
  const lines: string[] = [];
  const log = createLogger({
    levels: new LogLevels(0),
    write: (line) => lines.push(line),
    now: () => new Date(0),
  });
  return { log, lines };
}

test("of long values, messages and causes of errors the beginning is shown, and the frames", () => {
  const { log, lines } = ground();
  const cause = new Error("c".repeat(1_000_000));
  log.error("failed", new Error("m\n".repeat(500_000), { cause }), { path: "p".repeat(1_000_000) });
  const [line = ""] = lines;
  expect(line.length).toBeLessThan(60_000);
  expect(line).toContain(`path="${"p".repeat(4096)}…"`);
  expect(line).toContain("m\n    m\n");
  expect(line).toMatch(/\n {8}at .*logger\.test\.ts/);
  expect(line).toContain(`caused by\n    Error: ${"c".repeat(4000)}`);
});

test("short ones are shown as they are", () => {
  const { log, lines } = ground();
  log.warn("odd", { name: "a", count: 1, none: undefined });
  log.error("failed", "a text");
  expect(lines).toEqual([
    'W 1970-01-01T00:00:00.000Z odd name="a" count=1\n',
    "E 1970-01-01T00:00:00.000Z failed\n    a text\n",
  ]);
});

test("lines may have no header", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = createLogger({ levels: new LogLevels(0), write, now: () => new Date(0), headers: false });
  log.info("bare", { a: 1 });
  expect(lines).toEqual(["bare a=1\n"]);
});
