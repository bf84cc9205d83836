import { between, notNegative, positive } from "../checks.js";
import { type Cidr, cidrs, portRange } from "../network-values.js";
import { optionGroup } from "../option.js";
import { bool, choice, choices, custom, duration, int, text } from "../value-types.js";

const addressTypes = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"] as const;

export const clusterBehaviour = optionGroup("Cluster behaviour", {
  "apiserver-count": int({
    default: 1,
    help: "Number of API servers of the cluster. Used by the endpoint reconciler master-count.",
    check: positive,
  }),
  "endpoint-reconciler-type": choice(["master-count", "lease", "none"], {
    default: "lease",
    help: "How the servers agree on the endpoints of the API's own service: master-count, lease or none.",
  }),
  "enable-aggregator-routing": bool({
    help: "Send requests for extension servers to their endpoints instead of their service's cluster IP.",
  }),
  "aggregator-reject-forwarding-redirect": bool({
    default: true,
    help: "Answer 502 when an extension server redirects a client elsewhere.",
  }),
  "service-cluster-ip-range": custom(cidrs, {
    default: [],
    help: "Network that services get their cluster IPs from, as a CIDR, or two of different IP families. Must not overlap the networks of nodes and pods. 10.0.0.0/24 when not given.",
    check: serviceRanges,
  }),
  "service-node-port-range": custom(portRange, {
    default: { min: 30000, max: 32767 },
    help: "Ports kept for services of type NodePort, both ends included.",
  }),
  "orch-service-node-port": int({
    help: "When not 0, the API's own service is of type NodePort with this port; when 0, of type ClusterIP.",
    check: between({
      min: 0,
      max: 65535,
      hint: "If 0, the API's own service will be of type ClusterIP",
    }),
  }),
  "master-service-namespace": text({
    until: "1.27",
    deprecatedSince: "1.26",
    default: "default",
    help: "Deprecated: namespace of the services that are injected into pods. Has no effect, because node agents do that.",
  }),
  "enable-garbage-collector": bool({
    default: true,
    help: "Delete what belongs to deleted objects. When false, deletes leave no finalizers for their propagation policy. Must match the controller manager's option of the same name.",
  }),
  "default-not-ready-toleration-seconds": int({
    default: 300,
    help: "How long pods that say nothing about it tolerate a node that is not ready.",
  }),
  "default-unreachable-toleration-seconds": int({
    default: 300,
    help: "How long pods that say nothing about it tolerate a node that cannot be reached.",
  }),
  "allow-privileged": bool({
    help: "Allow privileged containers.",
  }),
  "delete-collection-workers": int({
    default: 1,
    help: "Objects that one request for deletion of a collection deletes at a time.",
    check: positive,
  }),
  "identity-lease-duration-seconds": int({
    until: "1.29",
    default: 3600,
    help: "How long the lease that identifies this server lasts. Used with the gate APIServerIdentity.",
    check: positive,
  }),
  "identity-lease-renew-interval-seconds": int({
    until: "1.29",
    default: 10,
    help: "Time between renewals of the lease that identifies this server. Used with the gate APIServerIdentity.",
    check: positive,
  }),
  "coordinated-leadership-lease-duration": {
    ...duration({
      default: "15s",
      help: "How long the lease lasts by which one server of a cluster elects the leaders of others. Used with the gate CoordinatedLeaderElection.",
    }),
    since: "1.34",
  },
  "coordinated-leadership-renew-deadline": {
    ...duration({
      default: "10s",
      help: "A server that cannot renew that lease for so long stops electing.",
    }),
    since: "1.34",
  },
  "coordinated-leadership-retry-period": {
    ...duration({ default: "2s", help: "Time between attempts to take or renew that lease." }),
    since: "1.34",
  },
  "lease-reuse-duration-seconds": int({
    default: 60,
    help: "How long one lease of the backing store is shared by new Events. Short times are expensive for the store.",
    check: positive,
  }),
  "cloud-provider": text({
    until: "1.33",
    help: "Cloud provider: empty for none, or external for one that runs outside of this server. Others are not built in.",
    check: (value, flag) =>
      value === "" || value === "external"
        ? undefined
        : `${flag}: no cloud provider is built into this server: run the provider's own controller manager, and name external here`,
  }),
  "cloud-config": text({
    until: "1.33",
    help: "Configuration file of the cloud provider. It must be readable, but without built-in providers nothing in it has an effect.",
  }),
  "egress-selector-config-file": text({
    help: "File that says through which HTTPConnect proxies the server's own connections go: to the cluster, to webhooks of the control plane, to the store.",
  }),
  "nodeagent-certificate-authority": text({
    help: "File with the CA certificates that sign the node agents' certificates.",
  }),
  "nodeagent-client-certificate": text({
    help: "File with the client certificate for node agents.",
  }),
  "nodeagent-client-key": text({
    help: "File with the private key of the client certificate for node agents.",
  }),
  "nodeagent-preferred-address-types": choices(addressTypes, {
    itemName: "address type",
    default: addressTypes,
    help: "Types of node addresses to try for node agents, in order.",
  }),
  "nodeagent-port": int({
    deprecatedSince: "1.24",
    default: 10250,
    help: "Deprecated: port of node agents that publish none.",
    check: between({ min: 1, max: 65535 }),
  }),
  "nodeagent-timeout": duration({
    default: "5s",
    help: "How long to wait for a node agent.",
    check: notNegative,
  }),
});

function serviceRanges(ranges: readonly Cidr[], flag: string): string | undefined {
  if (ranges.length > 2) return `${flag} must not contain more than two entries`;
  const [primary, secondary] = ranges;
  if (primary && secondary && primary.family === secondary.family) {
    return `${flag}[0] and ${flag}[1] must be of different IP family`;
  }
  return undefined;
}
