import type { FaultEngine } from "../../lab/faults/fault-engine.js";
import type { Naming } from "../../naming/naming.js";
import type { HeldRevisions } from "../../storage/held-revisions.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Clock } from "../../time/clock.js";
import type { OptionName, Options } from "../options/options.js";
import type { ClientKeys } from "./client-keys.js";
import type { BuildInfo } from "./version.js";

/** The settings that a server is started with. */
export interface ApiServerSettings {
  readonly options: Options;
  /** The options that were given explicitly; defaults may be adjusted, explicit values may not. */
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
  readonly log: Logger;
  readonly build: BuildInfo;
  /** 0 listens on any free port. */
  readonly port: number;
  /** The kind of key that the server makes for the administrator and for users. Default: RSA, but an administrator keeps any. */
  readonly clientKeys?: ClientKeys | undefined;
}

export interface ApiServerParts extends ApiServerSettings {
  readonly clock: Clock;
  /** Undefined when no component holds revisions. */
  readonly held: HeldRevisions | undefined;
  /** Faults that tests inject into requests and webhook calls; undefined without a lab. */
  readonly faults: FaultEngine | undefined;
}
