import { messageOf } from "../apimachinery/errors/message-of.js";
import type { Naming } from "../naming/naming.js";
import type { ExchangeHandler } from "../serving/http/exchange.js";
import { inheritedSocket } from "../serving/http/inherited-socket.js";
import { type Listener, type ListenOptions, listen } from "../serving/http/listener.js";
import { type TlsSettings, toTlsSettings } from "../serving/http/tls-settings.js";
import type { Figure } from "../telemetry/metric-family.js";
import type { Metrics } from "../telemetry/metrics.js";
import { forOption } from "./options/option-failure.js";
import type { OptionName, Options } from "./options/options.js";
import type { ServerPki } from "./pki/server-pki.js";
import type { ApiServerParts } from "./settings/api-server-parts.js";
import { threadShare } from "./settings/thread-share.js";

/** Errors caused by the address: it does not belong to this machine, or is a name without an address. */
const addressErrors: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

/** Listens at the configured address. Rejects with an `Error` that names the option, if one is the cause. */
export async function openListener(
  { options, naming, log, port }: ApiServerParts,
  pki: ServerPki,
  handler: ExchangeHandler,
  metrics: Metrics,
  /** The listener of the main thread hands over all connections. */
  isHandedOver = false,
): Promise<Listener> {
  const handshakeErrors = handshakeErrorsOf(metrics);
  const listening: ListenOptions = {
    host: options.bindAddress,
    port,
    files: pki.tls,
    settings: await tlsSettingsOf(options, naming),
    disableHttp2: options.disableHttp2Serving,
    ...(options.permitPortSharing && {
      reusePort: true,
      inherited: inheritedSocket(process.env, process.pid),
    }),
    isHandedOver,
    http2MaxStreamsPerConnection: options.http2MaxStreamsPerConnection,
    limits: {
      headerTimeoutMs: options.connectionHeaderTimeoutMs,
      idleTimeoutMs: options.connectionIdleTimeoutMs,
      connectionsMax: threadShare(options, options.maxConnections),
    },
    onError: (error) => log.error("connection failed", error),
    onUnusableFile: (error) =>
      log.warn("the changed TLS files cannot be used; the previous content stays in use", {
        reason: messageOf(error),
      }),
    onHandshakeFailure: () => {
      handshakeErrors.value++;
    },
  };
  try {
    return await listen(listening, handler);
  } catch (error) {
    const option = optionAtFault(error, listening);
    if (option === undefined) throw error;
    return await forOption(option, naming, () => Promise.reject(error));
  }
}

function handshakeErrorsOf(metrics: Metrics): Figure {
  return metrics
    .counter({
      name: "apiserver_tls_handshake_errors_total",
      help: "TLS handshakes that failed.",
      labels: [],
    })
    .with();
}

async function tlsSettingsOf(options: Options, naming: Naming): Promise<TlsSettings> {
  const settings = await forOption("tls-cipher-suites", naming, () =>
    toTlsSettings(options.tlsCipherSuites, options.tlsMinVersion),
  );
  const { groups } = await forOption("tls-curve-preferences", naming, () =>
    toTlsSettings(undefined, undefined, options.tlsCurvePreferences),
  );
  return { ...settings, groups };
}

/** Undefined where no option is the cause. */
function optionAtFault(error: unknown, { reusePort, inherited }: ListenOptions): OptionName | undefined {
  const { code } = error as NodeJS.ErrnoException; // undefined for what the system does not report
  if (code === undefined) return reusePort === true ? "permit-port-sharing" : undefined;
  if (inherited !== undefined) return "permit-port-sharing";
  return addressErrors.has(code) ? "bind-address" : "secure-port";
}
