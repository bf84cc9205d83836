import type { MessagePort } from "node:worker_threads";
import type { AuditEvent } from "../../audit/audit-event.js";
import type { LogEntry } from "../../serving/lanes/lane-messages.js";
import type { ForwardedClient } from "../../serving/readers/forwarded-client.js";
import type { GaugeValue } from "../../telemetry/gauges-elsewhere.js";
import type { MetricChange } from "../../telemetry/metric-changes.js";
import type { OptionName, Options } from "../options/options.js";
import type { BuildInfo } from "../settings/version.js";
import type { StorePorts } from "../stores/store-ports.js";

/** The settings that a reader's thread starts with. Everything in it can be cloned or transferred. */
export interface ReaderSettings {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly build: BuildInfo;
  /** Memory of `LogLevels`. */
  readonly logLevel: SharedArrayBuffer;
  /** The thread's name in metrics. */
  readonly thread: string;
  /** The port that clients connect to. */
  readonly port: number;
  /** Memory of its `ReaderState`. */
  readonly state: SharedArrayBuffer;
  /** The main thread's end is `WorkerReader`. */
  readonly control: MessagePort;
  readonly stores: StorePorts;
}

/** From the main thread to a reader. */
export type ToReader =
  /** A connection to serve, by its own descriptor. */
  | { readonly kind: "accepted"; readonly descriptor: number }
  /** Asks for what was counted since the last such message. */
  | { readonly kind: "tell" }
  /** The outcome of an audit event. */
  | { readonly kind: "recorded"; readonly id: number; readonly kept: boolean }
  /** Accept no more requests, and finish those in progress. */
  | { readonly kind: "drain" }
  /** End what is still open after `graceMs`, and then the thread. */
  | { readonly kind: "close"; readonly graceMs: number };

/** From a reader to the main thread. */
export type FromReader =
  /** The reader serves. */
  | { readonly kind: "ready" }
  | { readonly kind: "log"; readonly entry: LogEntry }
  /** A connection for requests that the main thread answers. */
  | { readonly kind: "connection"; readonly port: MessagePort; readonly client: ForwardedClient }
  | {
      readonly kind: "told";
      readonly changes: readonly MetricChange[];
      readonly gauges: readonly GaugeValue[];
    }
  /** `id` is undefined when the reader does not wait for the outcome. */
  | { readonly kind: "audit"; readonly id: number | undefined; readonly event: AuditEvent }
  | { readonly kind: "drained" }
  | { readonly kind: "closed" };
