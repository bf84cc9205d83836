import type { MessagePort } from "node:worker_threads";
import type { OptionName, Options } from "../options/options.js";
import type { BuildInfo } from "../settings/version.js";
import type { EncryptionInUse } from "../stores/open-encryption.js";
import type { StorePorts } from "../stores/store-ports.js";

/** What a lane's thread is started with. Everything in it can be cloned, or is moved. */
export interface LaneSettings {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly build: BuildInfo;
  /** Memory of `LogLevels`. */
  readonly logLevel: SharedArrayBuffer;
  /** Memory of a clock that may be moved; undefined for the machine's clock. */
  readonly time: SharedArrayBuffer | undefined;
  /** The encryption of the serving thread. */
  readonly encryption: EncryptionInUse | undefined;
  /** The serving thread's end is `WorkerLane`. */
  readonly requests: MessagePort;
  readonly stores: StorePorts;
}
