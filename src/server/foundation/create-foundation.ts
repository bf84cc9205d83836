import { loadEgressSelection } from "../connections/egress-selection.js";
import type { Closing } from "../lifecycle/closing.js";
import { egressMetrics } from "../metrics/egress-metrics.js";
import { observeRemoteCalls } from "../metrics/remote-call-metrics.js";
import { createServerMetrics } from "../metrics/server-metrics.js";
import { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import { prepareServerPki, type ServerPki } from "../pki/server-pki.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { serverIdentity } from "../settings/server-identity.js";
import type { Stores } from "../stores/open-store.js";
import type { Foundation, StoreGround } from "./foundation.js";

export interface FoundationInputs {
  readonly openStores: (ground: StoreGround) => Promise<Stores>;
  /** The keys and certificates of another server in this process; otherwise the options name them, or they are made. */
  readonly pki?: ServerPki | undefined;
}

/** Rejects with an `Error` that names the option that cannot be used; what is open by then is in `closing`. */
export async function createFoundation(
  parts: ApiServerParts,
  closing: Closing,
  { openStores, pki: given }: FoundationInputs,
): Promise<Foundation> {
  const { options, naming, log } = parts;
  const metrics = await createServerMetrics(options, naming);
  closing.add(observeRemoteCalls(metrics, log));
  const egress = await forOption("egress-selector-config-file", naming, () =>
    loadEgressSelection(options.egressSelectorConfigFile, naming, egressMetrics(metrics)),
  );
  const ground: StoreGround = {
    ...parts,
    closing,
    gates: new FeatureGates(options.featureGates, options.apiLevel),
    identity: serverIdentity(naming, options.apiLevel),
    metrics,
    egress,
  };
  // The stores open while keys and certificates are made.
  const opening = closing.opened(openStores(ground), (opened) => opened.close());
  const pki = given ?? (await prepareServerPki(parts, Date.now()));
  closing.add(() => pki.finished);
  return { ...ground, pki, stores: await opening };
}
