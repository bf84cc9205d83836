import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const certificatesV1beta1Descriptions: TypeDescriptions = {
  ClusterTrustBundle: {
    about: "Certificates of authorities, for all of the cluster.",
    fields: {
      spec: "The certificates, and the signer that they belong to.",
    },
  },
  ClusterTrustBundleSpec: {
    fields: {
      signerName:
        "Signer that the certificates belong to, if any; the name of the bundle begins with it. Cannot be changed.",
      trustBundle: "The certificates, in PEM.",
    },
  },
  PodCertificateRequest: {
    about: "Asks a signer for a certificate of a pod.",
    fields: {
      spec: "Who wants which certificate.",
      status: "The certificate, or why there is none.",
    },
  },
  PodCertificateRequestSpec: {
    fields: {
      signerName: "Signer that is asked.",
      podName: "Name of the pod.",
      podUID: "Identity of the pod.",
      serviceAccountName: "Service account of the pod.",
      serviceAccountUID: "Identity of the service account.",
      nodeName: "Node that runs the pod.",
      nodeUID: "Identity of the node.",
      maxExpirationSeconds: "Longest time that the certificate may be valid, in seconds. Default: 86400.",
      pkixPublicKey: "Public key that is to be certified.",
      proofOfPossession: "Signature of the pod's identity by the private key.",
      stubPKCS10Request: "A request of that form with the key and its signature, and little else.",
      unverifiedUserAnnotations: "What the pod tells the signer; nobody has checked it.",
    },
  },
  PodCertificateRequestStatus: {
    fields: {
      conditions: "Issued, Denied or Failed, once it is decided.",
      certificateChain: "The certificate and intermediate ones, in PEM.",
      notBefore: "When the certificate begins to be valid.",
      beginRefreshAt: "When the pod should ask for the next one.",
      notAfter: "When the certificate ends.",
    },
  },
};
