import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNaming } from "../../src/naming/naming.js";
import { adminKubeconfig } from "../../src/server/admin-kubeconfig.js";
import { ApiServer } from "../../src/server/api-server.js";
import { createServerLog } from "../../src/server/logging/server-log.js";
import type { Options } from "../../src/server/options/options.js";
import { resolveOptions } from "../../src/server/options/parse-options.js";
import { buildInfo } from "../../src/server/settings/version.js";
import { ApiClient } from "./api-client.js";

/** A server in the test's own process, for tests that look inside; at API level 1.23 unless the options name another. */
export interface InProcessServer {
  readonly server: ApiServer;
  readonly api: ApiClient;
  readonly url: string;
  /** Path of the administrator's client configuration. */
  readonly kubeconfig: string;
  /** Temporary, and removed by `dispose`. */
  readonly directory: string;
  dispose(): Promise<void>;
}

export async function startInProcess(options: Partial<Options> = {}): Promise<InProcessServer> {
  const directory = mkdtempSync(join(tmpdir(), "in-process-"));
  const profile = "kubernetes";
  const naming = createNaming(profile);
  const resolved = resolveOptions(
    {
      certDir: join(directory, "pki"),
      dataDir: directory,
      bindAddress: "127.0.0.1",
      apiProfile: profile,
      apiLevel: "1.23",
      ...options,
    },
    { profile },
  );
  if (resolved.kind === "error") throw new Error(resolved.message);
  const log = createServerLog(resolved.options, () => undefined);
  const server = await ApiServer.start({
    options: resolved.options,
    given: new Set(),
    naming,
    log,
    build: buildInfo,
    port: 0,
  });
  const { pki, port } = server;
  const kubeconfig = join(directory, "kubeconfig");
  const text = (await adminKubeconfig({ pki, host: "127.0.0.1", port, name: naming.apiServiceName })) ?? "";
  writeFileSync(kubeconfig, text);
  const url = `https://127.0.0.1:${port}`;
  const api = new ApiClient({ url, kubeconfig });
  return {
    server,
    api,
    url,
    kubeconfig,
    directory,
    async dispose() {
      await api.close();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
