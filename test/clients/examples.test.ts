import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startLabOfPrograms } from "../support/lab-of-programs.js";
import { startLab } from "../support/lab-server.js";
import { execute, isInstalled } from "./toolchain.js";

test.skipIf(!isInstalled(["go", "version"]))("the example in Go passes", { timeout: 900_000 }, async () => {
  const lab = await startLab();
  try {
    const env = { ...process.env, LAB_KUBECONFIG: lab.kubeconfig };
    const printed = await execute(
      ["go", "test", "-count=1", "-v", "./..."],
      join(process.cwd(), "examples/go"),
      env,
    );
    expect(printed).toContain("--- PASS: TestLabeller/three");
  } finally {
    await lab.dispose();
  }
});

test.skipIf(!isInstalled(["python3", "--version"]))(
  "the example with kopf passes",
  { timeout: 900_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), "kopf-"));
    const { env, dispose } = await startLabOfPrograms();
    try {
      cpSync(join(process.cwd(), "examples/python"), cwd, { recursive: true });
      await execute(["python3", "-m", "venv", "venv"], cwd);
      await execute(["venv/bin/pip", "install", "--quiet", "--requirement", "requirements.txt"], cwd);
      // A suite that fails ends with a status that rejects.
      await execute(["venv/bin/python", "-m", "unittest", "test_kopf.py"], cwd, { ...process.env, ...env });
    } finally {
      await dispose();
      rmSync(cwd, { recursive: true, force: true });
    }
  },
);
