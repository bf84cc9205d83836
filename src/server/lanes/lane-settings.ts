import type { MessagePort } from "node:worker_threads";
import type { OptionName, Options } from "../options/options.js";
import type { BuildInfo } from "../settings/version.js";
import type { EncryptionInUse } from "../stores/open-encryption.js";
import type { StorePorts } from "../stores/store-ports.js";

/** Start parameters of a lane's thread, which can be cloned or transferred. */
export interface LaneSettings {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly build: BuildInfo;
  /** Memory of `LogLevels`. */
  readonly logLevel: SharedArrayBuffer;
  /** Shared memory of a movable clock; undefined for the machine's clock. */
  readonly time: SharedArrayBuffer | undefined;
  /** The encryption of the serving thread. */
  readonly encryption: EncryptionInUse | undefined;
  /** The serving thread's end is `WorkerLane`. */
  readonly requests: MessagePort;
  readonly stores: StorePorts;
}
