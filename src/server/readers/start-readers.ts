import type { ExchangeHandler } from "../../serving/http/exchange.js";
import type { Listener } from "../../serving/http/listener.js";
import { ForwardedRequests } from "../../serving/readers/forwarded-requests.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { forOption } from "../options/option-failure.js";
import { loadDuplicate } from "../process/duplicate-descriptor.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { builtFile } from "../settings/built-file.js";
import { Readers } from "./readers.js";
import { showConnections } from "./thread-connections.js";
import { WorkerReader, type WorkerReaderParts } from "./worker-reader.js";

export interface StartReadersParts extends Pick<WorkerReaderParts, "stores" | "auditor"> {
  readonly parts: ApiServerParts;
  readonly metrics: Metrics;
  /** The main thread's listener, which accepts all connections. */
  readonly listener: Listener;
  /** Handles the requests that readers pass on. */
  readonly handler: ExchangeHandler;
}

/** Starts the additional threads of `--serving-threads`. Rejects with an `Error` that names the option. */
export async function startReaders(starting: StartReadersParts): Promise<Readers> {
  const { parts, metrics, listener, handler, stores, auditor } = starting;
  const { options, given, build, naming, log } = parts;
  return await forOption("serving-threads", naming, async () => {
    const script = builtFile(process.env.ORCH_READER_WORKER);
    if (script === undefined) throw new Error("must be 1 for a server that runs from its source");
    const { port } = listener;
    const duplicate = await loadDuplicate();
    const forwarded = new ForwardedRequests(handler, (error) => log.error("connection failed", error));
    const settings = { options, given, build, logLevel: log.levels.memory, port };
    showConnections(metrics, "main", listener);
    const readers = await Readers.start({
      count: options.servingThreads - 1,
      open: (thread) =>
        new WorkerReader({
          script,
          settings: { ...settings, thread },
          stores,
          duplicate,
          forwarded,
          auditor,
          log,
        }),
      log,
      metrics,
    });
    listener.handOverBy((descriptor, own) => readers.takes(descriptor, own));
    return readers;
  });
}
