import { createNaming } from "../../naming/naming.js";
import type { ExchangeHandler } from "../../serving/http/exchange.js";
import type { Listener } from "../../serving/http/listener.js";
import { Forwarder } from "../../serving/readers/forwarder.js";
import { type FollowedStore, followStore } from "../../storage/thread-store/followed-store.js";
import { ThreadStore } from "../../storage/thread-store/thread-store.js";
import { gaugeValues } from "../../telemetry/gauges-elsewhere.js";
import { LogLevels } from "../../telemetry/log-levels.js";
import { MetricChanges } from "../../telemetry/metric-changes.js";
import { systemClock } from "../../time/clock.js";
import { auditHoldsAnswers } from "../audit/create-auditor.js";
import { type ComposedServer, composeServer } from "../composition/compose-server.js";
import { Closing } from "../lifecycle/closing.js";
import { drainMs } from "../lifecycle/lifecycle.js";
import { threadLog } from "../logging/thread-log.js";
import { openListener } from "../open-listener.js";
import type { Options } from "../options/options.js";
import { ForwardedAudit } from "../readers/forwarded-audit.js";
import { gaugesOfThreads } from "../readers/gauges-of-threads.js";
import { heartbeatMs } from "../readers/heartbeat.js";
import type { FromReader, ReaderSettings, ToReader } from "../readers/reader-messages.js";
import { ReaderState } from "../readers/reader-state.js";
import { showConnections } from "../readers/thread-connections.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { Stores } from "../stores/open-store.js";
import { portOfServers } from "../stores/store-ports.js";
import { readsHere } from "./read-here.js";

/**
 * Runs a reader: one more server over the store of the main thread and on its port, which answers reads and forwards all other requests.
 * Rejects when it cannot be composed, or does not listen.
 */
export async function runReader(settings: ReaderSettings): Promise<void> {
  const { control } = settings;
  const post = (message: FromReader): void =>
    control.postMessage(message, message.kind === "connection" ? [message.port] : []);
  const closing = new Closing();
  const state = new ReaderState(settings.state);
  closing.add(systemClock.every(heartbeatMs, () => state.beat()));
  const audit = new ForwardedAudit(post, auditHoldsAnswers(settings.options));
  const store = await followStore(settings.stores.main);
  const composed = await compose(settings, { closing, audit, store, post });
  const { handler, informers, lifecycle, metrics } = composed.server;
  closing.add(() => informers.stop());
  await informers.start();
  // Makes every read at least as recent as what any client was told before it.
  const caughtUp: ExchangeHandler = (exchange) => {
    store.catchUp();
    return handler(exchange);
  };
  const listener = await openListener(composed.parts, composed.server.pki, caughtUp, metrics, true);
  lifecycle.listensAt(settings.port);
  showConnections(metrics, settings.thread, listener);
  const changes = new MetricChanges(metrics);
  control.on("message", (received) => {
    const message = received as ToReader; // only the main thread writes to the port
    switch (message.kind) {
      case "tell":
        post({ kind: "told", changes: changes.take(), gauges: gaugeValues(metrics, gaugesOfThreads) });
        break;
      case "accepted":
        state.took();
        listener.take(message.descriptor, () => state.ended());
        break;
      case "recorded":
        audit.recorded(message.id, message.kept);
        break;
      case "drain":
        void drain(composed.server, settings.options).then(() => post({ kind: "drained" }));
        break;
      case "close":
        void close(listener, closing, message.graceMs).then(() => post({ kind: "closed" }));
        break;
    }
  });
  post({ kind: "ready" });
}

interface ComposeParts {
  readonly closing: Closing;
  readonly audit: ForwardedAudit;
  readonly store: FollowedStore;
  readonly post: (message: FromReader) => void;
}

async function compose(
  { options: ofMain, given, build, logLevel, stores, port }: ReaderSettings,
  { closing, audit, store, post }: ComposeParts,
): Promise<{ readonly parts: ApiServerParts; readonly server: ComposedServer }> {
  const options = ownOptions(ofMain);
  const naming = createNaming(options.apiProfile);
  let isComposed = false;
  const log = threadLog(new LogLevels(logLevel, options.vmodule), (entry) => {
    // The main thread has already logged this about the same options.
    if (isComposed || entry.severity === "error") post({ kind: "log", entry });
  });
  const parts: ApiServerParts = {
    options,
    given,
    naming,
    log,
    build,
    port,
    clock: systemClock,
    held: undefined,
    faults: undefined,
  };
  const forwarder = new Forwarder((end, client) => post({ kind: "connection", port: end, client }));
  let isHere: ReturnType<typeof readsHere> = () => false;
  const server = await composeServer({
    parts,
    closing,
    openStores: async (storeOptions, storeNaming, observers) =>
      await Stores.openWith(storeOptions, storeNaming, observers, {
        openMain: async () => store,
        openOverride: async (servers) => new ThreadStore(portOfServers(stores, servers)),
      }),
    auditBackend: audit,
    forward: (context) => {
      if (isHere(context)) return false;
      forwarder.forward(context.exchange);
      return true;
    },
  });
  isHere = readsHere(server.catalog, server.context, server.informers);
  isComposed = true;
  return { parts, server };
}

/** Removes options that only the main thread uses. */
function ownOptions(options: Options): Options {
  return {
    ...options,
    console: "off",
    simulate: undefined,
    maxLanes: options.maxLanes === 0 ? 0 : 1,
  };
}

async function drain({ lifecycle }: ComposedServer, { shutdownSendRetryAfter }: Options): Promise<void> {
  lifecycle.drain();
  if (shutdownSendRetryAfter) await lifecycle.requests.finished(drainMs);
}

async function close(listener: Listener, closing: Closing, graceMs: number): Promise<void> {
  await listener.close(graceMs);
  await closing.close();
}
