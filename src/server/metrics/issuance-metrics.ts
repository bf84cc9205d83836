import type { Naming } from "../../naming/naming.js";
import type { IssuanceObserver } from "../../registry/certificates/issued-certificates.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Counts certificates of requests that name a duration. The names are those of Kubernetes 1.23. */
export function issuanceMetrics(metrics: Metrics, naming: Naming): IssuanceObserver {
  const labels = ["signerName"];
  const requested = metrics.counter({
    name: "apiserver_certificates_registry_csr_requested_duration_total",
    help: "Certificates that were issued to requests with a duration, by signer.",
    labels,
  });
  const honored = metrics.counter({
    name: "apiserver_certificates_registry_csr_honored_duration_total",
    help: "Those of them that have about this duration.",
    labels,
  });
  return (signerName, isHonored) => {
    // Other signer names are up to clients, so they share a label.
    const signer = signerName.startsWith(`${naming.domain}/`) ? signerName : "other";
    requested.with(signer).value++;
    if (isHonored) honored.with(signer).value++;
  };
}
