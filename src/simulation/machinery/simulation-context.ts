import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { WriteStages } from "../../registry/generic/write-stages.js";
import type { WriteScope } from "../../request/write-scope.js";
import type { SimulationSettings } from "./settings.js";

/** What the simulation needs of the server around it. */
export interface SimulationContext extends ControllerContext {
  readonly naming: Naming;
  /** Admission as for a client's request with the same write, because real controllers are clients. */
  admission<T extends ApiObject>(registry: ResourceRegistry<T>, write: WriteScope): WriteStages<T>;
  readonly settings: SimulationSettings;
  readonly level: ApiLevel;
  /** The feature gates of all programs of a cluster, as this server has them. */
  readonly isEnabled: (gate: FeatureGateName) => boolean;
  /** The agents' version that nodes report: `v1.23.17`. */
  readonly version: string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Signs the certificates of approved requests; undefined if the server does not have a certificate authority's key. */
  readonly signCertificate?: SignCertificate | undefined;
}

/** What a CertificateSigningRequest asks for. */
export interface RequestedCertificate {
  /** PEM of the request. */
  readonly request: string;
  readonly usages: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** PEM of a certificate. Throws an `Error` that says what is wrong with the request. */
export type SignCertificate = (requested: RequestedCertificate) => Promise<string>;
