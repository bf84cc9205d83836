import type { TypeDescriptions } from "./type-descriptions.js";

export const networkingTypes: TypeDescriptions = {
  NetworkPolicy: {
    about: "Says which traffic pods may receive and send.",
  },
  NetworkPolicySpec: {
    fields: {
      egress: "Traffic that the pods may send.",
      ingress: "Traffic that the pods may receive.",
      podSelector: "The pods that it is about.",
      policyTypes: "Ingress, Egress or both.",
    },
  },
  NetworkPolicyIngressRule: {
    about: "Traffic that may be received.",
  },
  NetworkPolicyEgressRule: {
    about: "Traffic that may be sent.",
  },
  NetworkPolicyPort: {
    about: "A port that traffic may go to.",
  },
  IPBlock: {
    about: "A range of IP addresses, less some parts of it.",
  },
  NetworkPolicyPeer: {
    about: "Who is on the other end: pods, or a range of addresses.",
  },
  Ingress: {
    about: "Leads HTTP requests from outside to services.",
  },
  IngressSpec: {
    fields: {
      defaultBackend: "Where requests go that no rule is for.",
      ingressClassName: "Who serves the ingress.",
      rules: "Where requests go, by host and path.",
      tls: "Certificates.",
    },
  },
  IngressTLS: {
    about: "The certificate for some hosts.",
  },
  IngressRule: {
    about: "Leads the requests to a host to backends.",
  },
  HTTPIngressRuleValue: {
    about: "Paths and their backends.",
  },
  HTTPIngressPath: {
    about: "Leads requests with a path to a backend.",
    fields: {
      backend: "Where the requests go.",
      path: "The path.",
      pathType: "How it is matched: Exact, Prefix or ImplementationSpecific.",
    },
  },
  IngressBackend: {
    about: "Where requests are sent: a service, or another resource.",
  },
  IngressServiceBackend: {
    about: "A service and its port.",
  },
  ServiceBackendPort: {
    about: "A port of a service, by name or number.",
  },
  IngressClass: {
    about: "Names a controller of ingresses and its settings.",
  },
  IngressClassParametersReference: {
    about: "Names the object with the settings of an ingress class.",
  },
};
