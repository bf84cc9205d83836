import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startLab } from "../support/lab-server.js";

/** What a command prints, with its exit status at the end. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { env: { ...process.env, ...env }, cwd }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}\nstatus ${error === null ? 0 : (error.code ?? 1)}`),
    );
  });
}

function has(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("the example with vitest passes", async () => {
  const vitest = join(process.cwd(), "node_modules/vitest/vitest.mjs");
  const root = join(process.cwd(), "examples/vitest");
  expect(await run(process.execPath, [vitest, "run", "--root", root], {}, root)).toContain("status 0");
});

test.skipIf(!has("python3"))("the example in Python passes", async () => {
  const directory = mkdtempSync(join(tmpdir(), "example-"));
  const tokens = join(directory, "tokens.csv");
  writeFileSync(tokens, "secret,tester,1,system:masters\n");
  const lab = await startLab({ options: { tokenAuthFile: tokens } });
  try {
    const ca = join(directory, "ca.crt");
    writeFileSync(ca, lab.server.caCert);
    const env = { LAB_URL: lab.server.url, LAB_TOKEN: "secret", LAB_CA: ca };
    const cwd = join(process.cwd(), "examples/python");
    expect(await run("python3", ["-B", "-m", "unittest", "test_lab.py"], env, cwd)).toContain("status 0");
  } finally {
    await lab.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
});
