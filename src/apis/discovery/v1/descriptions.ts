import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const discoveryV1Descriptions: TypeDescriptions = {
  EndpointSlice: {
    about:
      "A part of the backends of a service, whose slices belong together by a label with the service's name.",
    fields: {
      addressType: "What the addresses are: IPv4, IPv6 or, deprecated, FQDN. Cannot be changed.",
      endpoints: "The backends, 1000 at most.",
      ports: "Ports that each of the endpoints has. Empty: none are declared.",
    },
  },
  Endpoint: {
    about: "One backend of a service.",
    fields: {
      addresses: "Addresses of the type addressType, 1 to 100; consumers use only the first.",
      conditions: "Whether the endpoint takes traffic.",
      deprecatedTopology: "Labels of the node, from the beta version. Can no longer be set.",
      hints: "Which consumers should prefer the endpoint.",
      hostname: "Host name of the endpoint under the service's DNS name, as a DNS label.",
      nodeName: "Node that the endpoint is on.",
      targetRef: "Object that the endpoint belongs to, usually a pod.",
      zone: "Zone that the endpoint is in.",
    },
  },
  EndpointConditions: {
    about: "Whether a backend takes traffic.",
    fields: {
      ready: "Whether the endpoint is to get traffic; never while it terminates. Absent counts as true.",
      serving:
        "As ready, but tells the readiness of a terminating endpoint too. Absent: consumers look at ready.",
      terminating: "Whether the endpoint is ending. Absent counts as false.",
    },
  },
  EndpointHints: {
    about: "Which consumers a backend is meant for.",
    fields: {
      forZones: "Zones whose consumers should prefer the endpoint, 8 at most.",
      forNodes: "Nodes that should use the endpoint, at most 8.",
    },
  },
  ForZone: {
    about: "A zone whose consumers a backend is meant for.",
    fields: { name: "Name of the zone." },
  },
  EndpointPort: {
    about: "A port of the backends.",
    fields: {
      appProtocol:
        "Protocol of the application, such as http or a name with a domain prefix. Tells load balancers what to expect.",
      name: "Name of the port as a DNS label or empty, unique in the slice.",
      port: "Number of the port. Absent: every port, as the consumer sees fit.",
      protocol: "TCP, UDP or SCTP. Default: TCP.",
    },
  },
  ForNode: {
    about: "A node that should use an endpoint.",
    fields: {
      name: "Name of the node.",
    },
  },
};
