import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLab } from "./lab-server.js";

export interface LabOfPrograms {
  /** Variables that give the Python examples the server's address. */
  readonly env: NodeJS.ProcessEnv;
  dispose(): Promise<void>;
}

/** A server with a lab for programs that have a token instead of a kubeconfig. */
export async function startLabOfPrograms(): Promise<LabOfPrograms> {
  const directory = mkdtempSync(join(tmpdir(), "example-"));
  const tokens = join(directory, "tokens.csv");
  writeFileSync(tokens, "secret,tester,1,system:masters\n");
  const lab = await startLab({ options: { tokenAuthFile: tokens } });
  const authority = join(directory, "ca.crt");
  writeFileSync(authority, lab.server.caCert);
  return {
    env: { LAB_URL: lab.server.url, LAB_TOKEN: "secret", LAB_CA: authority },
    async dispose() {
      await lab.dispose();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
