import { join } from "node:path";
import { expect, test } from "vitest";
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
