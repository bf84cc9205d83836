import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseOptions } from "../options/parse-options.js";
import type { LogFileSystem } from "./log-file.js";
import { logOutput } from "./log-output.js";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "log-output-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Logs a line of each severity; returns what standard error has of them, and each file. */
function logged(...args: string[]): { standardError: string; files: Record<string, string> } {
  const parsed = parseOptions(args, { profile: "orch" });
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  let standardError = "";
  const write = logOutput({
    options: parsed.options,
    standardError: (line) => {
      standardError += line;
    },
    program: "server",
    system,
  });
  for (const severity of ["I", "W", "E"] as const) write(`${severity}\n`, severity);
  const files = readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]);
  return { standardError, files: Object.fromEntries(files) };
}

const system: LogFileSystem = {
  now: () => new Date("2026-01-02T03:04:05.678Z"),
  host: "host.example.com",
  user: "user",
  pid: 7,
  get temporary() {
    return directory;
  },
};

const named = (severity: string) => `server.host.user.log.${severity}.20260102-030405.7`;

test("all goes to standard error and to no file unless told otherwise", () => {
  expect(
    logged(`--log-dir=${directory}`, `--log-file=${directory}/a.log`, "--stderrthreshold=FATAL"),
  ).toEqual({
    standardError: "I\nW\nE\n",
    files: {},
  });
});

test("a file of each severity has its lines and those above, and standard error has the errors", () => {
  const { standardError, files } = logged(
    "--logtostderr=false",
    `--log-dir=${directory}`,
    "--skip-log-headers",
  );
  expect(standardError).toBe("E\n");
  expect(files).toEqual({
    [named("INFO")]: "I\nW\nE\n",
    [named("WARNING")]: "W\nE\n",
    [named("ERROR")]: "E\n",
    "server.INFO": "I\nW\nE\n",
    "server.WARNING": "W\nE\n",
    "server.ERROR": "E\n",
  });
});

test("without a directory files go to that of temporary ones; with one output, each line is in one of them", () => {
  const { files } = logged("--logtostderr=false", "--one-output", "--skip-log-headers");
  expect(files).toMatchObject({ [named("INFO")]: "I\n", [named("WARNING")]: "W\n", [named("ERROR")]: "E\n" });
});

test.each([
  ["--stderrthreshold=INFO", "I\nW\nE\n"],
  ["--stderrthreshold=warning", "W\nE\n"],
  ["--stderrthreshold=3", ""],
  ["--alsologtostderr", "I\nW\nE\n"],
])("with %s standard error has %j", (option, expected) => {
  expect(logged("--logtostderr=false", `--log-file=${directory}/a.log`, option).standardError).toBe(expected);
});

test("the one file is appended to, with a few lines that say what follows", () => {
  writeFileSync(join(directory, "a.log"), "before\n");
  const { files } = logged("--logtostderr=false", `--log-file=${directory}/a.log`);
  expect(Object.keys(files)).toEqual(["a.log"]);
  expect(files["a.log"]).toMatch(
    /^before\nLog file created at: 2026-01-02T03:04:05.678Z\nRunning on machine: host.example.com\n.*\nI\nW\nE\n$/,
  );
});

test("the one file is begun anew when it is full", () => {
  writeFileSync(join(directory, "a.log"), "x".repeat(1024 * 1024 - 1));
  const { files } = logged(
    "--logtostderr=false",
    `--log-file=${directory}/a.log`,
    "--log-file-max-size=1",
    "--skip-log-headers",
  );
  expect(files["a.log"]).toBe("I\nW\nE\n");
});

test("a file that cannot be opened is refused with its option", () => {
  expect(() => logged("--logtostderr=false", `--log-file=${directory}/none/a.log`)).toThrow(
    /^--log-file: ENOENT/,
  );
  expect(() => logged("--logtostderr=false", `--log-dir=${directory}/none`)).toThrow(/^--log-dir: ENOENT/);
});
