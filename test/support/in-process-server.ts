import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ProfileName } from "../../src/naming/naming.js";
import type { ApiServer } from "../../src/server/api-server.js";
import type { OptionName, Options } from "../../src/server/options/options.js";
import { givePki, keepPki } from "../../src/server/pki/testing/kept-pki.js";
import { ApiClient } from "./api-client.js";
import { everyServersArgs, type ServerProcessOptions, type TestServer } from "./server-process.js";

type ServerParts = typeof import("./server-parts.js");

/** From the built program, which takes a third of the processor time to load; the types are those of the source. */
const built: ServerParts = await import(join(process.cwd(), "dist/testing/server-parts.js"));

/** Where a server from the source finds built files: those of its threads, of the console and of the objects for a new store. */
const builtFiles = {
  ORCH_YAML_WORKER: "dist/yaml-worker.js",
  ORCH_LANE_WORKER: "bin/lane-worker.mjs",
  ORCH_READER_WORKER: "bin/reader-worker.mjs",
  ORCH_TRACING_WORKER: "dist/tracing-worker.js",
  ORCH_CONSOLE_ASSETS: "dist/console/",
  ORCH_PREPARED_OBJECTS: "dist/prepared-objects/",
};

/** Owner name of the keys, other than the command's, because the client keys differ. */
function ownerOf(profile: ProfileName): string {
  return `${profile} here`;
}

/** A server in the test's own process, for tests that inspect it; at API level 1.23 unless the options name another. */
export interface InProcessServer {
  readonly server: ApiServer;
  readonly api: ApiClient;
  readonly url: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Temporary, and removed by `dispose`. */
  readonly directory: string;
  dispose(): Promise<void>;
}

/** A test that shares classes with the server gives it the parts from the source. */
export async function startInProcess(
  options: Partial<Options> = {},
  parts: ServerParts = built,
): Promise<InProcessServer> {
  const directory = mkdtempSync(join(tmpdir(), "in-process-"));
  try {
    return await startInDirectory(directory, options, parts);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function startInDirectory(
  directory: string,
  options: Partial<Options>,
  parts: ServerParts,
): Promise<InProcessServer> {
  const profile = "kubernetes";
  const certDir = join(directory, "pki");
  // A server whose tokens are signed externally has no signing keys.
  const signsItself = (options.serviceAccountSigningEndpoint ?? "") === "";
  if (signsItself) givePki(ownerOf(profile), certDir);
  const resolved = parts.resolveOptions(
    {
      certDir,
      dataDir: directory,
      bindAddress: "127.0.0.1",
      apiProfile: profile,
      apiLevel: "1.23",
      ...options,
    },
    { profile },
  );
  if (resolved.kind === "error") throw new Error(resolved.message);
  const { server, url, kubeconfig } = await start(
    parts,
    resolved.options,
    // Otherwise all servers would share the keys in the machine's default directory.
    new Set(["cert-dir"]),
    () => undefined,
  );
  if (signsItself) keepPki(ownerOf(profile), certDir);
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

/** A server in the test's own process, with the interface of a server process. */
export interface ServerHere extends TestServer {
  stop(): Promise<unknown>;
}

/** `startServer` for tests that do not need a process: takes half of the processor time. Rejects with what the command would print. */
export async function startServerHere(
  options: Omit<ServerProcessOptions, "env" | "program"> = {},
): Promise<ServerHere> {
  const { profile = "kubernetes", args = [] } = options;
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), "apiserver-"));
  const certDir = join(dataDirectory, "pki");
  if (options.dataDirectory === undefined) givePki(ownerOf(profile), certDir);
  const places = ["--bind-address=127.0.0.1", `--data-dir=${dataDirectory}`, `--cert-dir=${certDir}`];
  let printed = "";
  try {
    const parsed = built.parseOptions([...places, "--api-level=1.23", ...everyServersArgs, ...args], {
      profile,
    });
    if (parsed.kind !== "run") throw new Error(parsed.kind === "error" ? parsed.message : parsed.kind);
    const print = (text: string): void => {
      printed += text;
    };
    const { server, url, kubeconfig } = await start(built, parsed.options, parsed.given, print, options.port);
    if (options.dataDirectory === undefined) keepPki(ownerOf(profile), certDir);
    return {
      url,
      port: server.port,
      kubeconfig,
      dataDirectory,
      output: () => printed,
      stop: () => server.stop(),
      async dispose() {
        await server.stop();
        rmSync(dataDirectory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

async function start(
  { adminKubeconfig, ApiServer, buildInfo, createNaming, createServerLog }: ServerParts,
  options: Options,
  given: ReadonlySet<OptionName>,
  print: (text: string) => void,
  wishedPort = 0,
) {
  for (const [name, file] of Object.entries(builtFiles)) {
    process.env[name] = pathToFileURL(join(process.cwd(), file)).href;
  }
  const naming = createNaming(options.apiProfile);
  const log = createServerLog(options, print);
  const server = await ApiServer.start({
    options,
    given,
    naming,
    log,
    build: buildInfo,
    port: wishedPort,
    // Like the library: RSA keys are slow to generate, and to sign with.
    clientKeys: "ec",
  });
  const { pki, port } = server;
  const kubeconfig = join(options.dataDir, "admin.kubeconfig");
  const text = (await adminKubeconfig({ pki, host: "127.0.0.1", port, name: naming.apiServiceName })) ?? "";
  writeFileSync(kubeconfig, text);
  return { server, url: `https://127.0.0.1:${port}`, kubeconfig };
}
