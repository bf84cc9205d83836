import { optionGroup, withoutEffect } from "../option.js";
import { int, text } from "../value-types.js";

/** Options that no longer have an effect in Kubernetes, or that concern what this server lacks. */
export const withoutEffectHere = optionGroup("Accepted without effect", {
  address: withoutEffect(text({ until: "1.24", help: "Address of plain HTTP, which is not served." })),
  port: withoutEffect(
    int({ until: "1.24", help: "Port of plain HTTP, which is not served: only 0.", check: onlyZero }),
  ),
  "insecure-bind-address": withoutEffect(
    text({ until: "1.24", help: "Address of plain HTTP, which is not served." }),
  ),
  "insecure-port": withoutEffect(
    int({ until: "1.24", help: "Port of plain HTTP, which is not served: only 0.", check: onlyZero }),
  ),
  "nodeagent-read-only-port": withoutEffect(
    int({
      default: 10255,
      deprecatedSince: "1.24",
      help: "Read-only port of node agents, which this server does not use.",
    }),
  ),
  "peer-ca-file": withoutEffect(
    text({
      since: "1.28",
      help: "File with CA certificates that would verify the other API servers of the cluster, if requests for API versions that this server lacks were forwarded to them. This server answers 404 instead.",
    }),
  ),
  "peer-advertise-ip": withoutEffect(
    text({
      since: "1.28",
      help: "IP address at which other API servers of the cluster would reach this one to forward such requests. They are not forwarded.",
    }),
  ),
  "peer-advertise-port": withoutEffect(
    text({
      since: "1.28",
      help: "Port at which other API servers of the cluster would reach this one to forward such requests. They are not forwarded.",
    }),
  ),
  "cloud-provider-gce-l7lb-src-cidrs": withoutEffect(
    text({ until: "1.31", help: "CIDRs of a cloud's load balancers. This server has no cloud provider." }),
  ),
});

/** Source: kube-apiserver 1.23, about its insecure port. */
function onlyZero(value: number, flag: string): string | undefined {
  return value === 0 ? undefined : `${flag}: invalid port value ${value}: only zero is allowed`;
}
