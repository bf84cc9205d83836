import type { Metrics } from "../../telemetry/metrics.js";
import type { EgressSelection } from "../connections/egress-selection.js";
import type { Closing } from "../lifecycle/closing.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ServerPki } from "../pki/server-pki.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { ServerIdentity } from "../settings/server-identity.js";
import type { Stores } from "../stores/open-store.js";

/** What exists before the stores are open. */
export interface StoreGround extends ApiServerParts {
  /** Everything that is opened registers here. */
  readonly closing: Closing;
  readonly gates: FeatureGates;
  readonly identity: ServerIdentity;
  readonly metrics: Metrics;
  readonly egress: EgressSelection;
}

/** What all other parts depend on. A lane has its own, over the stores of the serving thread. */
export interface Foundation extends StoreGround {
  readonly stores: Stores;
  readonly pki: ServerPki;
}
