import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { certificateSigningRequests } from "./certificate-signing-request/resource.js";
import { clusterTrustBundles } from "./cluster-trust-bundle/resource.js";
import { podCertificateRequests } from "./pod-certificate-request/resource.js";

export function certificatesResources(context: ApiContext): ResourceDefinition[] {
  return [certificateSigningRequests(context), clusterTrustBundles(context), podCertificateRequests(context)];
}
