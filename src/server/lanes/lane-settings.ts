import type { MessagePort } from "node:worker_threads";
import type { OptionName, Options } from "../options/options.js";
import type { BuildInfo } from "../settings/version.js";
import type { EncryptionInUse } from "../stores/open-encryption.js";

/** What a lane's thread is started with. Everything in it can be cloned, or is moved. */
export interface LaneSettings {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly build: BuildInfo;
  /** Memory of a clock that may be moved; undefined for the machine's clock. */
  readonly time: SharedArrayBuffer | undefined;
  /** The encryption of the serving thread. */
  readonly encryption: EncryptionInUse | undefined;
  /** The serving thread's end is `WorkerLane`. */
  readonly requests: MessagePort;
  /** Ports to the engines of the serving thread: the main one, and those of the overrides by their servers. */
  readonly stores: { readonly main: MessagePort; readonly overrides: ReadonlyMap<string, MessagePort> };
}
