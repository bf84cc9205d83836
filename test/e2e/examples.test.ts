import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isInstalled } from "../clients/toolchain.js";
import { startLabOfPrograms } from "../support/lab-of-programs.js";

/** What a command prints, with its exit status at the end. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { env: { ...process.env, ...env }, cwd }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}\nstatus ${error === null ? 0 : (error.code ?? 1)}`),
    );
  });
}

test("the example with vitest passes", async () => {
  const vitest = join(process.cwd(), "node_modules/vitest/vitest.mjs");
  const root = join(process.cwd(), "examples/vitest");
  expect(await run(process.execPath, [vitest, "run", "--root", root], {}, root)).toContain("status 0");
});

test.skipIf(!isInstalled(["python3", "--version"]))("the example in Python passes", async () => {
  const { env, dispose } = await startLabOfPrograms();
  try {
    const cwd = join(process.cwd(), "examples/python");
    expect(await run("python3", ["-B", "-m", "unittest", "test_lab.py"], env, cwd)).toContain("status 0");
  } finally {
    await dispose();
  }
});
