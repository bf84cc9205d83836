import type { AdmissionAttributes } from "../../admission/chain/admission-attributes.js";
import type { LevelVersion, PolicyVersion } from "../../admission/pod-security/level.js";
import type { PodSecurityObserver, Verdict } from "../../admission/pod-security/observer.js";
import type { Mode } from "../../admission/pod-security/policy.js";
import { type ApiLevel, minorOf } from "../../apimachinery/levels/api-level.js";
import type { Metrics } from "../../telemetry/metrics.js";

type CountedRequest = Pick<AdmissionAttributes, "operation" | "subresource"> & {
  readonly resource: Pick<AdmissionAttributes["resource"], "resource">;
};

const ofRequest = ["request_operation", "resource", "subresource"];

/** Metrics of the plugin PodSecurity, by the names of kube-apiserver 1.23. */
export class PodSecurityMetrics implements PodSecurityObserver {
  readonly #evaluations;
  readonly #exemptions;
  readonly #errors;
  readonly #ownMinor: number;

  constructor(metrics: Metrics, level: ApiLevel) {
    this.#ownMinor = minorOf(level);
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
    attributes: CountedRequest,
  ): void {
    this.#evaluations.with(verdict, level, this.#shown(version), mode, ...requestOf(attributes)).value++;
  }

  exempted(attributes: CountedRequest): void {
    this.#exemptions.with(...requestOf(attributes)).value++;
  }

  failed(isFatal: boolean, attributes: CountedRequest): void {
    this.#errors.with(String(isFatal), ...requestOf(attributes)).value++;
  }

  /** Labels of namespaces may name any version. */
  #shown(version: PolicyVersion): string {
    if (version === "latest") return version;
    return version > this.#ownMinor ? "future" : `v1.${version}`;
  }
}

function requestOf({ operation, resource, subresource }: CountedRequest): readonly string[] {
  return [
    operation.toLowerCase(),
    resource.resource === "pods" || resource.resource === "namespaces"
      ? resource.resource.slice(0, -1)
      : "controller",
    subresource,
  ];
}
