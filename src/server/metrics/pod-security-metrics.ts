import type { AdmissionAttributes } from "../../admission/chain/admission-attributes.js";
import type { LevelVersion } from "../../admission/pod-security/level.js";
import type { PodSecurityObserver, Verdict } from "../../admission/pod-security/observer.js";
import type { Mode } from "../../admission/pod-security/policy.js";
import type { Metrics } from "../../telemetry/metrics.js";

const ofRequest = ["request_operation", "resource", "subresource"];

/** Metrics of the plugin PodSecurity, by the names of kube-apiserver 1.23. */
export class PodSecurityMetrics implements PodSecurityObserver {
  readonly #evaluations;
  readonly #exemptions;
  readonly #errors;

  constructor(metrics: Metrics) {
    this.#evaluations = metrics.counter({
      name: "pod_security_evaluations_total",
      help: "Requests that were held to a level of the Pod Security Standards; of audits and warnings, those that violate it.",
      labels: ["decision", "policy_level", "policy_version", "mode", ...ofRequest],
    });
    this.#exemptions = metrics.counter({
      name: "pod_security_exemptions_total",
      help: "Requests that are exempt from the Pod Security Standards.",
      labels: ofRequest,
    });
    this.#errors = metrics.counter({
      name: "pod_security_errors_total",
      help: "Requests whose policy could not be found, which is fatal, or not be read.",
      labels: ["fatal", ...ofRequest],
    });
  }

  evaluated(
    verdict: Verdict,
    { level, version }: LevelVersion,
    mode: Mode,
    attributes: AdmissionAttributes,
  ): void {
    const shown = version === "latest" ? version : version > ownMinor ? "future" : `v1.${version}`;
    this.#evaluations.with(verdict, level, shown, mode, ...requestOf(attributes)).value++;
  }

  exempted(attributes: AdmissionAttributes): void {
    this.#exemptions.with(...requestOf(attributes)).value++;
  }

  failed(isFatal: boolean, attributes: AdmissionAttributes): void {
    this.#errors.with(String(isFatal), ...requestOf(attributes)).value++;
  }
}

/** Minor version of the API; labels of namespaces may name any. */
const ownMinor = 23;

function requestOf({ operation, resource, subresource }: AdmissionAttributes): readonly string[] {
  return [
    operation.toLowerCase(),
    resource.resource === "pods" || resource.resource === "namespaces"
      ? resource.resource.slice(0, -1)
      : "controller",
    subresource,
  ];
}
