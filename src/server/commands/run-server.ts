import { setMaxIdleHTTPParsers } from "node:http";
import { getHeapStatistics } from "node:v8";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Naming } from "../../naming/naming.js";
import type { Logger } from "../../telemetry/logger.js";
import { adminKubeconfig, prepareKubeconfigPlaces } from "../admin-kubeconfig.js";
import { ApiServer, type ListeningServer } from "../api-server.js";
import { standardError } from "../logging/bounded-output.js";
import { createServerLog } from "../logging/server-log.js";
import { forOption } from "../options/option-failure.js";
import type { OptionName, Options } from "../options/options.js";
import { defaultKubeconfigPath } from "../pki/server-pki.js";
import { writeFileAtomically } from "../pki/write-file.js";
import { loadAllocator } from "../process/allocator.js";
import { boundChainChecks } from "../process/bound-chain-checks.js";
import { IdleTrim } from "../process/idle-trim.js";
import { warnOfOpenFiles } from "../process/open-files.js";
import { requestGarbageCollection } from "../process/request-garbage-collection.js";
import { buildInfo } from "../settings/version.js";
import { startMessage } from "./start-message.js";

const idleParsersMax = 100;

export interface RunParts {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
}

/** Runs a server until SIGTERM or SIGINT. A failed start prints one line and exits with status 1. */
export async function runServer(parts: RunParts): Promise<void> {
  const { options, given, naming } = parts;
  const log = openLog(options);
  if (log === undefined) return;
  endOnDefects(log);
  let server: ApiServer | undefined;
  let kubeconfig: string | undefined;
  let link: string | undefined;
  try {
    await prepareKubeconfigPlaces(options, naming);
    const { securePort: port } = options;
    server = await ApiServer.start(
      { options, given, naming, log, build: buildInfo, port, clientKeys: "rsa" },
      {
        onListening: async (listening) => {
          kubeconfig = await writeKubeconfig(parts, listening);
        },
      },
    );
    link = await server.consoleLink();
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`);
    log.verbose(
      { level: 4, file: "server/commands/run-server" },
      error instanceof Error ? (error.stack ?? "") : "",
    );
    process.exitCode = 1;
    await server?.stop();
    return;
  }

  const stop = (signal: NodeJS.Signals): void => {
    log.info("stopping", { signal });
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error("the server did not stop cleanly", error);
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // Node.js would keep a thousand, each with 2 KB of native memory.
  setMaxIdleHTTPParsers(idleParsersMax);
  new IdleTrim({
    load: loadAllocator,
    usedMs: processorMs,
    collect: requestGarbageCollection,
    heldBytes,
    log,
  });
  warnOfOpenFiles([options.dataDir, server.pki.directory], log);
  void boundChainChecks().then((isBound) => {
    if (!isBound)
      log.verbose(
        { level: 1, file: "server/commands/run-server" },
        "the limit for certificates of a client could not be set",
      );
  });
  // Written last, because whoever reads it may stop the server at once.
  const { port, pki } = server;
  process.stdout.write(startMessage({ options, naming, port, kubeconfig, consoleLink: link, pki }));
}

/** Undefined, with the exit status set, when a file of the log cannot be opened. */
function openLog(options: Options): Logger | undefined {
  try {
    return createServerLog(options, standardError());
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

/** Node.js would print the failing source line: in a bundle, thousands of characters. */
function endOnDefects(log: Logger): void {
  process.once("uncaughtException", (error) => {
    log.error("the server ends because of a defect in it", error);
    process.exit(1);
  });
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function heldBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

/** Returns its path; undefined when there is no certificate to embed. */
async function writeKubeconfig(
  { options, naming }: RunParts,
  { pki, port }: ListeningServer,
): Promise<string | undefined> {
  const text = await adminKubeconfig({
    pki,
    host: options.bindAddress,
    port,
    name: naming.apiServiceName,
  });
  if (text === undefined) return undefined;
  const { dataDir, writeKubeconfig: wished } = options;
  const path = defaultKubeconfigPath(dataDir);
  await forOption("data-dir", naming, () => writeFileAtomically(path, text, 0o600));
  if (wished === undefined) return path;
  await forOption("write-kubeconfig", naming, () => writeFileAtomically(wished, text, 0o600));
  return wished;
}
