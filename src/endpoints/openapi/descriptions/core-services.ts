import type { TypeDescriptions } from "./type-descriptions.js";

export const serviceTypes: TypeDescriptions = {
  Service: {
    about: "A stable address for a set of pods.",
  },
  ServiceSpec: {
    fields: {
      allocateLoadBalancerNodePorts: "Whether a load balancer gets node ports too. Default: true.",
      clusterIP: "Address of the service; None for a headless one. Default: any free one.",
      clusterIPs: "All addresses, the first of which is clusterIP.",
      externalIPs: "Addresses of nodes that take traffic as well.",
      externalName: "The DNS name that an ExternalName service stands for.",
      externalTrafficPolicy: "Whether traffic from outside stays on its node: Cluster or Local.",
      healthCheckNodePort: "Port of nodes for the load balancer's checks.",
      internalTrafficPolicy: "Whether traffic from inside stays on its node: Cluster or Local.",
      ipFamilies: "IPv4, IPv6 or both, in order.",
      ipFamilyPolicy: "SingleStack, PreferDualStack or RequireDualStack.",
      loadBalancerClass: "Who makes the load balancer.",
      loadBalancerIP: "The address wanted of the load balancer.",
      loadBalancerSourceRanges: "Clients that the load balancer lets in.",
      ports: "Ports of the service.",
      publishNotReadyAddresses: "Whether pods count that are not ready.",
      selector: "Labels of the pods that traffic goes to.",
      sessionAffinity: "Whether a client stays with one pod: ClientIP or None.",
      sessionAffinityConfig: "Settings of session affinity.",
      type: "ClusterIP, NodePort, LoadBalancer or ExternalName.",
    },
  },
  ServicePort: {
    about: "A port of a service and where it leads.",
    fields: {
      appProtocol: "The protocol of the application, such as http.",
      name: "Unique within the service; needed when there are several.",
      nodePort: "Port of every node that leads here.",
      port: "Port of the service.",
      protocol: "TCP, UDP or SCTP. Default: TCP.",
      targetPort: "Number or name of the pods' port. Default: port.",
    },
  },
  SessionAffinityConfig: {
    about: "Settings of session affinity.",
  },
  ClientIPConfig: {
    about: "How long a client's address keeps leading to the same endpoint.",
  },
  LoadBalancerStatus: {
    about: "The addresses of a load balancer.",
  },
  LoadBalancerIngress: {
    about: "An address of a load balancer.",
  },
  PortStatus: {
    about: "A port of a load balancer and what is wrong with it.",
  },
  Endpoints: {
    about: "The backends of a service.",
  },
  EndpointSubset: {
    about: "Addresses that share the same ports.",
  },
  EndpointAddress: {
    about: "An IP address of a backend.",
  },
  EndpointPort: {
    about: "A port of backends.",
  },
};
