import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../support/server-process.js";

/** A copy of the commands with a code cache that the tests replace. */
let directory: string;

beforeAll(() => {
  // The build has kept the code of its own runtime.
  if (!existsSync(cacheFile)) spawnSync(process.execPath, ["scripts/code-cache.mjs"], { stdio: "inherit" });
  directory = mkdtempSync(join(tmpdir(), "program-"));
  cpSync("bin", join(directory, "bin"), { recursive: true });
  mkdirSync(join(directory, "dist"));
  cpSync("dist/program.cjs", join(directory, "dist/program.cjs"));
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** Compiled code belongs to one runtime and its options, which those of a test may differ from. */
const askForName = `
  import { loadProgram } from ${JSON.stringify(join(process.cwd(), "bin/program.mjs"))};
  console.log(loadProgram().cacheFile);`;
const cacheFile = relative(
  process.cwd(),
  spawnSync(process.execPath, ["--input-type=module", "-e", askForName], { encoding: "utf8" }).stdout.trim(),
);
const kept = (): Buffer => readFileSync(cacheFile);
const buildName = (): string => readFileSync("dist/program.cjs", "utf8").split("\n", 1)[0] ?? "";

test("the kept code is of the program beside it", () => {
  expect(buildName()).toMatch(/^\/\/[0-9a-f-]{36}$/);
  expect(kept().toString("latin1", 0, 40)).toBe(`${buildName()}  `);
});

test.each<[string, () => Buffer | undefined]>([
  ["its kept code", kept],
  ["none", () => undefined],
  ["that of another build", () => Buffer.concat([Buffer.from("//another".padEnd(40)), kept().subarray(40)])],
  ["damaged code", () => Buffer.concat([kept().subarray(0, 40), Buffer.alloc(1000, 7)])],
  ["an empty file", () => Buffer.alloc(0)],
])("the commands start with %s", (_name, code) => {
  const file = join(directory, cacheFile);
  rmSync(file, { force: true });
  const bytes = code();
  if (bytes !== undefined) writeFileSync(file, bytes);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(directory, "bin/orch-apiserver.mjs"), "--version"],
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^v1\.23\.\d+\+orch/);
});

test("without a build the commands say how to make one", () => {
  const bare = mkdtempSync(join(tmpdir(), "program-"));
  try {
    cpSync("bin", join(bare, "bin"), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(bare, "bin/kube-apiserver.mjs")], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^kube-apiserver: .* "npm run build"\.\n$/)]);
  } finally {
    rmSync(bare, { recursive: true });
  }
});

test.each<[string, readonly string[], boolean]>([
  ["is the commands' own", [], false],
  ["is what the caller has chosen", ["--heap-growing-percent=77"], true],
  ["is what the caller has chosen in V8's spelling", ["--heap_growing_percent=77"], true],
])("how much the heap grows %s", (_, options, isKept) => {
  // The tag changes with the options of V8.
  const tags = `
    import { cachedDataVersionTag } from "node:v8";
    import { limitHeapGrowth } from ${JSON.stringify(join(process.cwd(), "bin/program.mjs"))};
    const before = cachedDataVersionTag();
    limitHeapGrowth();
    console.log(before === cachedDataVersionTag());`;
  const { stdout } = spawnSync(process.execPath, [...options, "--input-type=module", "-e", tags], {
    encoding: "utf8",
  });
  expect(stdout).toBe(`${isKept}\n`);
});

test.runIf(process.versions.v8.startsWith("11."))(
  "V8 optimizes less while a process is cold, until it has worked or starts a thread",
  () => {
    const states = `
    import { cachedDataVersionTag } from "node:v8";
    import { Worker } from "node:worker_threads";
    import { ColdStart } from ${JSON.stringify(join(process.cwd(), "bin/cold-start.mjs"))};
    const usual = cachedDataVersionTag();
    const isCold = () => cachedDataVersionTag() !== usual;
    const seen = [];
    const see = (what) => seen.push([what, isCold()]);
    let workedMs = 0;
    const begin = () => {
      const coldStart = new ColdStart(() => workedMs);
      coldStart.begin();
      return coldStart;
    };

    const first = begin();
    see("begun");
    first.pause();
    see("paused");
    first.begin();
    see("begun again");
    await new Worker("", { eval: true }).terminate();
    see("a thread");
    first.begin();
    see("begun after its end");

    begin();
    workedMs = 2_000;
    see("has worked");
    while (isCold()) await new Promise((resolve) => setTimeout(resolve, 10));
    console.log(JSON.stringify(seen));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", states], {
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toEqual([
      ["begun", true],
      ["paused", false],
      ["begun again", true],
      ["a thread", false],
      ["begun after its end", false],
      ["has worked", true],
    ]);
  },
);

test("while it starts, V8 has the options with which the modules of Node.js were compiled", () => {
  const tags = `
    import { cachedDataVersionTag } from "node:v8";
    import { loadProgram } from ${JSON.stringify(join(process.cwd(), "bin/program.mjs"))};
    const before = cachedDataVersionTag();
    process.argv.push("orch-apiserver", "--version");
    loadProgram().run().main("orch-apiserver");
    process.once("exit", () => console.log(before === cachedDataVersionTag()));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", tags], { encoding: "utf8" });
  expect(stdout).toMatch(/^v1\.\d+.*\ntrue\n$/);
});

test("code that was compiled with other options of V8 leaves the kept code as it is", () => {
  const file = join(directory, cacheFile);
  writeFileSync(file, kept());
  const script = `
    import { loadProgram } from ${JSON.stringify(join(directory, "bin/program.mjs"))};
    const { isCompiled, keep } = loadProgram();
    if (!isCompiled) keep();
    console.log(isCompiled);`;
  const isCompiled = (...options: string[]): string =>
    spawnSync(process.execPath, [...options, "--input-type=module", "-e", script], { encoding: "utf8" })
      .stdout;
  // Newer versions of V8 compile alike for heaps of all sizes, but not with this one.
  const other = "--max-lazy";
  expect([isCompiled(other), isCompiled(other), isCompiled()]).toEqual(["false\n", "true\n", "true\n"]);
});

test("a program that stops its server keeps the compiled code for the next program", () => {
  for (const name of ["node_modules", "dist/prepared-objects"]) {
    symlinkSync(join(process.cwd(), name), join(directory, name));
  }
  const file = join(directory, cacheFile);
  rmSync(file, { force: true });
  const script = `
    import { startApiServer } from ${JSON.stringify(join(directory, "bin/library.mjs"))};
    import { loadProgram } from ${JSON.stringify(join(directory, "bin/program.mjs"))};
    const server = await startApiServer();
    await server.stop();
    console.log(loadProgram().isCompiled);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual(["true\n", ""]);
  expect(readFileSync(file).toString("latin1", 0, 40)).toBe(`${buildName()}  `);
});

test("a server that ends because of a defect tells what failed and where, and prints none of its code", async () => {
  const fail = 'process.on("SIGUSR2", () => { throw new Error("unforeseen"); })';
  const server = await startServer({
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fail)}` },
  });
  try {
    const started = server.output().length;
    expect(await server.stop("SIGUSR2")).toBe(1);
    const lines = server.output().slice(started).trim().split("\n");
    expect(lines[0]).toMatch(/^E \S+ the server ends because of a defect in it/);
    expect(lines[1]).toMatch(/^\s+Error: unforeseen$/);
    expect(lines.slice(2).every((line) => /^\s+at /.test(line))).toBe(true);
  } finally {
    await server.dispose();
  }
});
