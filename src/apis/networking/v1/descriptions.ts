import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const rulePorts = "Ports that the traffic may go to. Empty: all.";

export const networkingV1Descriptions: TypeDescriptions = {
  NetworkPolicy: {
    about: "Says which traffic pods may receive and send. Pods that no policy selects may do both freely.",
    fields: {
      spec: "Which pods are restricted, and which traffic they are left.",
      status: "How well the policy is enforced.",
    },
  },
  NetworkPolicySpec: {
    about: "Which pods a policy selects, and what they may receive and send.",
    fields: {
      egress: "Traffic that the pods may send, if policyTypes has Egress. Empty: none.",
      ingress: "Traffic that the pods may receive, if policyTypes has Ingress. Empty: none.",
      podSelector: "The pods that the policy restricts. Empty: all of the namespace.",
      policyTypes:
        "Which directions are restricted: Ingress, Egress or both. Default: Ingress, and Egress if egress has rules.",
    },
  },
  NetworkPolicyIngressRule: {
    about: "Traffic that may be received.",
    fields: {
      from: "Who may send it; one of the peers has to match. Empty: everybody.",
      ports: rulePorts,
    },
  },
  NetworkPolicyEgressRule: {
    about: "Traffic that may be sent.",
    fields: {
      ports: rulePorts,
      to: "Who it may be sent to; one of the peers has to match. Empty: everybody.",
    },
  },
  NetworkPolicyPort: {
    about: "A port, or a range of ports, that traffic may go to.",
    fields: {
      endPort: "Last port of a range, included; port is the first and must be a number.",
      port: "Number of a port of the pods, or its name. Unset: all ports.",
      protocol: "TCP, UDP or SCTP. Default: TCP.",
    },
  },
  IPBlock: {
    about: "A range of IP addresses, less some parts of it.",
    fields: {
      cidr: "The range in CIDR notation, as in 192.168.0.0/16 or 2001:db8::/64.",
      except: "Smaller ranges within cidr that do not count.",
    },
  },
  NetworkPolicyPeer: {
    about: "Who is on the other end: pods, or a range of addresses.",
    fields: {
      ipBlock: "A range of IP addresses; cannot be combined with the selectors.",
      namespaceSelector: "Namespaces of the pods. Empty: all. Unset: that of the policy.",
      podSelector: "Pods in these namespaces. Empty or unset: all of them.",
    },
  },
  Ingress: {
    about: "Leads HTTP requests from outside to services.",
    fields: {
      spec: "Where requests go by host and path, and which certificates are shown.",
      status: "The addresses under which the ingress is reached.",
    },
  },
  IngressSpec: {
    about: "Where requests go by host and path, and which certificates are shown.",
    fields: {
      defaultBackend: "Where requests go that no rule matches; required if there are no rules.",
      ingressClassName:
        "The ingress class, which says who serves the ingress. Default: the class marked as default.",
      rules: "Where requests go, by host and path. Empty: all to defaultBackend.",
      tls: "Certificates, by host; TLS is served on port 443.",
    },
  },
  IngressStatus: {
    fields: { loadBalancer: "The addresses under which the ingress is reached." },
  },
  IngressTLS: {
    about: "The certificate for some hosts.",
    fields: {
      hosts: "Hosts that the certificate is for. Empty: as the controller decides.",
      secretName:
        "Secret of the same namespace with certificate and key. Unset: TLS is only routed by host name.",
    },
  },
  IngressRule: {
    about: "Leads the requests to a host to backends.",
    fields: {
      host: "Domain name, without port; '*.' in front stands for one more label. Unset: all hosts.",
      http: "Where the host's requests go by path. Unset: all to defaultBackend.",
    },
  },
  IngressRuleValue: {
    about: "What a rule does with the requests to its host.",
    fields: { http: "Where the host's requests go by path." },
  },
  HTTPIngressRuleValue: {
    about: "Paths and their backends.",
    fields: { paths: "The paths, at least one; the longest match wins, of two alike the exact one." },
  },
  HTTPIngressPath: {
    about: "Leads requests with a path to a backend.",
    fields: {
      backend: "Where the requests go.",
      path: "The path, which begins with '/'; may be empty for ImplementationSpecific only.",
      pathType:
        "How path is matched: Exact, Prefix by whole elements, or ImplementationSpecific as the ingress class decides.",
    },
  },
  IngressBackend: {
    about: "Where requests are sent: a service, or another resource; one of them is set.",
    fields: {
      resource: "An object in the namespace of the ingress; excludes service.",
      service: "A service in the namespace of the ingress; excludes resource.",
    },
  },
  IngressServiceBackend: {
    about: "A service and its port.",
    fields: {
      name: "Name of the service.",
      port: "Port of the service, by name or number.",
    },
  },
  ServiceBackendPort: {
    about: "A port of a service, by name or number; one of them is set.",
    fields: {
      name: "Name of the port; excludes number.",
      number: "Number of the port, 1 to 65535; excludes name.",
    },
  },
  IngressClass: {
    about: "Names a controller of ingresses and its settings.",
    fields: {
      spec: "Who serves the ingresses of the class, and with which settings.",
    },
  },
  IngressClassSpec: {
    about: "Who serves the ingresses of a class, and with which settings.",
    fields: {
      controller:
        "Who serves the class, as a domain and path such as example.com/controller; at most 250 characters. Cannot be changed.",
      parameters: "An object with further settings for the controller.",
    },
  },
  IngressClassParametersReference: {
    about: "Names the object with the settings of an ingress class.",
    fields: {
      apiGroup: "Group of the object's kind. Unset: core.",
      kind: "Kind of the object.",
      name: "Name of the object.",
      namespace: "Namespace of the object; required for the scope Namespace, forbidden for Cluster.",
      scope: "Whether the object is in a namespace: Namespace or Cluster. Default: Cluster.",
    },
  },
  NetworkPolicyStatus: {
    fields: {
      conditions: "What is known of the policy.",
    },
  },
  IngressLoadBalancerIngress: {
    about: "An address of the load balancer.",
    fields: {
      ip: "IP address, if it has one.",
      hostname: "Host name, if it has one.",
      ports: "State of each port.",
    },
  },
  IngressLoadBalancerStatus: {
    about: "Where the load balancer is reached.",
    fields: {
      ingress: "Its addresses.",
    },
  },
  IngressPortStatus: {
    about: "State of one port of a load balancer.",
    fields: {
      port: "Number of the port.",
      protocol: "TCP, UDP or SCTP.",
      error: "Why the port does not work, as a word in CamelCase.",
    },
  },
  IPAddress: {
    about: "An address that is in use; its name is the address in canonical form.",
    fields: {
      spec: "What uses the address.",
    },
  },
  IPAddressSpec: {
    about: "What uses an address.",
    fields: {
      parentRef: "The object that the address belongs to.",
    },
  },
  ParentReference: {
    about: "The object that an address belongs to.",
    fields: {
      group: "Group of the resource; empty for the core.",
      resource: "Resource of the object, such as services.",
      namespace: "Namespace of the object.",
      name: "Name of the object.",
      uid: "Identity of the object.",
    },
  },
  ServiceCIDR: {
    about: "Ranges that services get addresses from.",
    fields: {
      spec: "The ranges.",
      status: "Whether the ranges can be used.",
    },
  },
  ServiceCIDRSpec: {
    about: "Ranges of addresses.",
    fields: {
      cidrs: "One range, or one of each family. Cannot be changed, but for adding a second one.",
    },
  },
  ServiceCIDRStatus: {
    about: "The state of ranges of addresses.",
    fields: {
      conditions: "Whether they are ready.",
    },
  },
  ClusterCIDR: {
    about: "Ranges that nodes get the addresses of their pods from.",
    fields: {
      spec: "The ranges, and which nodes they are for.",
    },
  },
  ClusterCIDRSpec: {
    fields: {
      nodeSelector: "Which nodes get a part of the ranges. Unset: all. Cannot be changed.",
      perNodeHostBits: "How many bits of an address are left to a node; at least 4. Cannot be changed.",
      ipv4: "Range of IPv4 addresses. Cannot be changed.",
      ipv6: "Range of IPv6 addresses. Cannot be changed.",
    },
  },
};
