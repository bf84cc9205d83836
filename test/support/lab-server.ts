import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningApiServer, StartApiServerOptions } from "../../src/index.js";
import { ApiClient } from "./api-client.js";

/** The built package, as a program imports it; its types are those of the source. */
const built = join(process.cwd(), "bin/library.mjs");
const { startApiServer }: typeof import("../../src/index.js") = await import(built);

export interface LabServer {
  readonly server: RunningApiServer;
  readonly api: ApiClient;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Plain HTTPS as another user, by the text of a kubeconfig. */
  clientOf(kubeconfig: string): ApiClient;
  dispose(): Promise<void>;
}

/** A server with a lab in the test's own process. */
export async function startLab(start: StartApiServerOptions = {}): Promise<LabServer> {
  return labOf(await startApiServer({ lab: true, ...start }));
}

export function labOf(server: RunningApiServer): LabServer {
  const directory = mkdtempSync(join(tmpdir(), "lab-"));
  let clients = 0;
  const written = (text: string): string => {
    const path = join(directory, `kubeconfig-${clients++}`);
    writeFileSync(path, text);
    return path;
  };
  const clientOf = (text: string) => new ApiClient({ url: server.url, kubeconfig: written(text) });
  const kubeconfig = written(server.kubeconfig);
  return {
    server,
    api: new ApiClient({ url: server.url, kubeconfig }),
    kubeconfig,
    clientOf,
    async dispose() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
