import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const appProtocol =
  "Protocol of the application, such as http or a name with a domain prefix. Tells load balancers what to expect.";
const protocol = "TCP, UDP or SCTP. Default: TCP.";

export const serviceDescriptions: TypeDescriptions = {
  Service: {
    about: "A stable address and DNS name for a set of pods, among which connections are shared out.",
    fields: {
      spec: "Type, addresses, ports and selector of the service.",
      status: "Where a load balancer takes traffic. Written by the controller that makes it.",
    },
  },
  ServiceSpec: {
    about: "How a service is reached, and which pods answer.",
    fields: {
      allocateLoadBalancerNodePorts:
        "Whether a service of the type LoadBalancer gets node ports too. Default: true.",
      clusterIP:
        "Virtual address inside the cluster: one to reserve, empty for any free one, or None for a headless service. Fixed while the type stays.",
      clusterIPs:
        "Virtual addresses, at most one of each family, in the order of ipFamilies. The first equals clusterIP.",
      externalIPs:
        "Further addresses, arranged outside of the cluster, on which nodes accept traffic for the service.",
      externalName: "DNS name that an ExternalName service is an alias for, as a lower-case host name.",
      externalTrafficPolicy:
        "Cluster spreads outside traffic over all pods; Local keeps it on its node and preserves the client's address. Default: Cluster.",
      healthCheckNodePort:
        "Port of nodes where a load balancer learns whether they have a pod; only for LoadBalancer with Local. Default: any free one. Cannot be changed.",
      internalTrafficPolicy:
        "Cluster sends traffic from inside to all pods; Local only to those on the same node, else drops it. Default: Cluster.",
      ipFamilies:
        "IPv4, IPv6 or both. The first cannot be changed; a second may come and go. Default: the cluster's.",
      ipFamilyPolicy:
        "SingleStack is one family, PreferDualStack two where the cluster has them, RequireDualStack two or an error. Default: SingleStack.",
      loadBalancerClass:
        "Implementation that makes the load balancer, such as example.com/internal. Default: the cluster's. Only for LoadBalancer; cannot be changed.",
      loadBalancerIP: "Address asked of the load balancer; not every provider heeds it.",
      loadBalancerSourceRanges:
        "Ranges of client addresses (CIDR) that the load balancer lets in, where the provider can do that. Default: all.",
      ports: "Ports of the service. Names are required when there are several.",
      publishNotReadyAddresses:
        "Whether pods count as ready when they are not, so that DNS finds them early. Default: false.",
      selector:
        "Labels of the pods that answer. Without it, somebody else maintains the endpoints. Not for ExternalName.",
      sessionAffinity: "ClientIP sends a client's connections to the same pod; None does not. Default: None.",
      sessionAffinityConfig: "Settings of the affinity ClientIP; not allowed with None.",
      type: "ClusterIP, inside only; NodePort, on every node too; LoadBalancer, by a provider too; or ExternalName, a DNS alias. Default: ClusterIP.",
      trafficDistribution: "Which endpoints are preferred, such as PreferSameZone or PreferSameNode.",
    },
  },
  ServicePort: {
    about: "A port of a service and where it leads.",
    fields: {
      appProtocol,
      name: "Name of the port as a DNS label, unique in the service. Optional when it is the only one.",
      nodePort:
        "Port of every node that leads here, for NodePort and LoadBalancer. Default: a free one of the range, usually 30000-32767.",
      port: "Number of the port at the service's address, 1 to 65535.",
      protocol,
      targetPort:
        "Port of the pods: a number, or the name of a container port. Default: port. Ignored for headless services.",
    },
  },
  SessionAffinityConfig: {
    about: "Settings of session affinity.",
    fields: { clientIP: "Settings for affinity by the client's address." },
  },
  ClientIPConfig: {
    about: "How long a client's address keeps leading to the same pod.",
    fields: {
      timeoutSeconds:
        "Seconds without traffic after which the affinity ends, 1 to 86400. Default: 10800, three hours.",
    },
  },
  ServiceStatus: {
    about: "What was last observed of a service.",
    fields: {
      conditions: "Aspects of the service's state, by type.",
      loadBalancer: "Where the load balancer is reached, if there is one.",
    },
  },
  LoadBalancerStatus: {
    about: "The addresses of a load balancer.",
    fields: {
      ingress: "Addresses and names at which traffic is taken; empty until the load balancer is ready.",
    },
  },
  LoadBalancerIngress: {
    about: "An address or name at which a load balancer takes traffic.",
    fields: {
      hostname: "DNS name, from load balancers that are reached by name.",
      ip: "Address, from load balancers that are reached by address.",
      ports: "State of each port of the service at this address.",
      ipMode: "VIP if traffic arrives for the address itself, Proxy if it arrives for a node or pod.",
    },
  },
  PortStatus: {
    about: "A port of a load balancer and what is wrong with it.",
    fields: {
      error:
        "What is wrong with the port, as a CamelCase word, with a domain prefix if the provider made it up.",
      port: "Number of the service's port.",
      protocol: "Protocol of the service's port: TCP, UDP or SCTP.",
    },
  },
  Endpoints: {
    about: "The addresses behind a service of the same name. Endpoint slices hold more and scale better.",
    fields: {
      subsets: "Addresses with the same ports. An address may be in several of them, with different ports.",
    },
  },
  EndpointSubset: {
    about: "Addresses that share the same ports: each address has each of the ports.",
    fields: {
      addresses: "Addresses that are ready for traffic.",
      notReadyAddresses:
        "Addresses that get no traffic, as their pods are starting or fail their readiness probe.",
      ports: "Ports of the addresses.",
    },
  },
  EndpointAddress: {
    about: "An IP address behind a service.",
    fields: {
      hostname: "Host name of the endpoint under the service's DNS name.",
      ip: "Address; must not be a loopback or link-local one.",
      nodeName: "Node that has the address.",
      targetRef: "Object that the address belongs to, usually a pod.",
    },
  },
  EndpointPort: {
    about: "A port of the addresses behind a service.",
    fields: {
      appProtocol,
      name: "Name of the service's port. Optional when it is the only one.",
      port: "Number of the port, 1 to 65535.",
      protocol,
    },
  },
};
