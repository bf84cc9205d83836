import { between, notNegative, positive } from "../checks.js";
import { type Cidr, cidrs, portRange } from "../network-values.js";
import { optionGroup } from "../option.js";
import { bool, choice, choices, custom, duration, int, text } from "../value-types.js";

const addressTypes = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"] as const;

export const clusterBehaviour = optionGroup("Cluster behaviour", {
  "apiserver-count": int({
    default: 1,
    help: "Number of API servers in the cluster. Used only with --endpoint-reconciler-type=master-count.",
    check: positive,
  }),
  "endpoint-reconciler-type": choice(["master-count", "lease", "none"], {
    default: "lease",
    help: "How the API servers of a cluster maintain the endpoints of the API's own service: master-count (up to --apiserver-count addresses), lease (each server renews a lease in the store), or none.",
  }),
  "enable-aggregator-routing": bool({
    help: "Send requests for extension API servers to the endpoints of their service instead of its cluster IP.",
  }),
  "aggregator-reject-forwarding-redirect": bool({
    default: true,
    help: "Answer 502 when an extension API server redirects the client, instead of forwarding the redirect.",
  }),
  "service-cluster-ip-range": custom(cidrs, {
    default: [],
    help: "CIDR from which services get their cluster IPs, or two CIDRs of different IP families for dual-stack. Must not overlap the networks of nodes and pods. Defaults to 10.0.0.0/24.",
    check: serviceRanges,
  }),
  "service-node-port-range": custom(portRange, {
    default: { min: 30000, max: 32767 },
    help: "Ports reserved for services of type NodePort, both ends included.",
  }),
  "orch-service-node-port": int({
    help: "Node port of the API's own service, which is then of type NodePort. 0 makes it of type ClusterIP.",
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
    help: "Deprecated: namespace of the services that are injected into pods. Has no effect, because node agents inject them.",
  }),
  "enable-garbage-collector": bool({
    default: true,
    help: "Run the garbage collector, which deletes the dependents of deleted objects. When false, a delete adds no finalizer for its propagation policy. Must match the option of the same name of the controller manager.",
  }),
  "default-not-ready-toleration-seconds": int({
    default: 300,
    help: "Seconds that a pod tolerates a node that is not ready, when the pod has no such toleration of its own.",
  }),
  "default-unreachable-toleration-seconds": int({
    default: 300,
    help: "Seconds that a pod tolerates an unreachable node, when the pod has no such toleration of its own.",
  }),
  "allow-privileged": bool({
    help: "Allow containers to be privileged.",
  }),
  "delete-collection-workers": int({
    default: 1,
    help: "Number of objects that one deletecollection request deletes concurrently.",
    check: positive,
  }),
  "identity-lease-duration-seconds": int({
    until: "1.29",
    default: 3600,
    help: "Seconds for which the lease that identifies this server is valid. Used with the feature gate APIServerIdentity.",
    check: positive,
  }),
  "identity-lease-renew-interval-seconds": int({
    until: "1.29",
    default: 10,
    help: "Seconds between renewals of the lease that identifies this server. Used with the feature gate APIServerIdentity.",
    check: positive,
  }),
  "coordinated-leadership-lease-duration": {
    ...duration({
      default: "15s",
      help: "How long the lease for coordinated leader election is valid. The API server that holds it elects the leaders of other components. Used with the feature gate CoordinatedLeaderElection.",
    }),
    since: "1.34",
  },
  "coordinated-leadership-renew-deadline": {
    ...duration({
      default: "10s",
      help: "How long the holder tries to renew the lease for coordinated leader election before it stops electing.",
    }),
    since: "1.34",
  },
  "coordinated-leadership-retry-period": {
    ...duration({
      default: "2s",
      help: "Time between attempts to acquire or renew the lease for coordinated leader election.",
    }),
    since: "1.34",
  },
  "lease-reuse-duration-seconds": int({
    default: 60,
    help: "Seconds for which new Events share one lease of the backing store. Short times burden the store.",
    check: positive,
  }),
  "cloud-provider": text({
    until: "1.33",
    help: "Cloud provider: empty for none, or external for one that runs outside this server. None is built in.",
    check: (value, flag) =>
      value === "" || value === "external"
        ? undefined
        : `${flag}: no cloud provider is built into this server: set it to external, and run the provider's own controller manager`,
  }),
  "cloud-config": text({
    until: "1.33",
    help: "Configuration file of the cloud provider. Must be readable, but has no effect, because no provider is built in.",
  }),
  "egress-selector-config-file": text({
    help: "File with an EgressSelectorConfiguration: the HTTPConnect proxies for the server's connections to the cluster, to the control plane and to the store.",
  }),
  "nodeagent-certificate-authority": text({
    help: "File with CA certificates that verify node agents.",
  }),
  "nodeagent-client-certificate": text({
    help: "File with the client certificate that the server presents to node agents.",
  }),
  "nodeagent-client-key": text({
    help: "File with the private key of --nodeagent-client-certificate.",
  }),
  "nodeagent-preferred-address-types": choices(addressTypes, {
    itemName: "address type",
    default: addressTypes,
    help: "Types of node addresses for connections to node agents, in order of preference.",
  }),
  "nodeagent-port": int({
    deprecatedSince: "1.24",
    default: 10250,
    help: "Deprecated: port of node agents whose node does not publish one.",
    check: between({ min: 1, max: 65535 }),
  }),
  "nodeagent-timeout": duration({
    default: "5s",
    help: "Timeout for requests to node agents.",
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
