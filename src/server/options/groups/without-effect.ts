import { optionGroup, withoutEffect } from "../option.js";
import { int, text } from "../value-types.js";

/** Options of Kubernetes 1.23 that have no effect there any more, or that concern what this server lacks. */
export const withoutEffectHere = optionGroup("Taken without effect", {
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
      help: "CA certificates of the other servers of the cluster, to which requests for versions that this server lacks would be sent: it answers 404 itself.",
    }),
  ),
  "peer-advertise-ip": withoutEffect(
    text({ since: "1.28", help: "Address by which other servers of the cluster would send such requests." }),
  ),
  "peer-advertise-port": withoutEffect(
    text({ since: "1.28", help: "Port by which other servers of the cluster would send such requests." }),
  ),
  "cloud-provider-gce-l7lb-src-cidrs": withoutEffect(
    text({ until: "1.31", help: "Networks of a cloud's load balancers. This server has no cloud provider." }),
  ),
});

/** Source: kube-apiserver 1.23, about its insecure port. */
function onlyZero(value: number, flag: string): string | undefined {
  return value === 0 ? undefined : `${flag}: invalid port value ${value}: only zero is allowed`;
}
