import { messageOf } from "../../apimachinery/errors/message-of.js";
import { requestSubject } from "../../apis/certificates/certificate-signing-request/request-subject.js";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import type { PodCertificateRequest } from "../../apis/gen/certificates-v1beta1.js";
import type { Naming } from "../../naming/naming.js";
import type { ClusterData } from "./plugin-context.js";

/** Why `node` may not request this certificate, which must be for a pod that runs there as the server knows it. Reads the newest state. */
export async function certificateRequestProblem(
  { spec }: PodCertificateRequest,
  namespace: string,
  node: string,
  { cluster, naming }: { readonly cluster: Pick<ClusterData, "read">; readonly naming: Naming },
): Promise<string | undefined> {
  const { nodeName, podName, serviceAccountName } = spec;
  if (nodeName !== node) {
    return `PodCertificateRequest.Spec.NodeName=${quoted(nodeName)}, which is not the requesting node ${quoted(node)}`;
  }
  const retrieving = (what: string, name: string, why: string): string =>
    `while retrieving ${what} ${quoted(name)} named in the PodCertificateRequest: ${why} not found`;
  const foundNode = await cluster.read("nodes", "", nodeName);
  if (foundNode === undefined) return retrieving("node", nodeName, `node ${quoted(nodeName)}`);
  const podKey = `${namespace}/${podName}`;
  const request = `PodCertificateRequest for pod ${quoted(podKey)}`;
  const { uid: nodeUid = "" } = foundNode.metadata;
  if (spec.nodeUID !== nodeUid) {
    return `${request} names node UID ${quoted(spec.nodeUID)}, inconsistent with the running node (${quoted(nodeUid)})`;
  }
  const pod = await cluster.read("pods", namespace, podName);
  if (pod === undefined) return retrieving("pod", podKey, `pod ${quoted(podName)}`);
  const { uid: podUid = "" } = pod.metadata;
  if (spec.podUID !== podUid) {
    return `${request} contains pod UID (${quoted(spec.podUID)}) which differs from running pod ${quoted(podUid)}`;
  }
  if (pod.spec.nodeName !== nodeName) {
    return `pod ${quoted(podKey)} is not running on node ${quoted(nodeName)} named in the PodCertificateRequest`;
  }
  if (pod.metadata.annotations?.[`${naming.domain}/config.mirror`] !== undefined) {
    return `pod ${quoted(podKey)} is a mirror pod`;
  }
  const { serviceAccountName: runsAs = "" } = pod.spec;
  if (serviceAccountName !== runsAs) {
    return `${request} contains serviceAccountName (${quoted(serviceAccountName)}) that differs from running pod (${quoted(runsAs)})`;
  }
  const account = await cluster.read("serviceaccounts", namespace, serviceAccountName);
  if (account === undefined) {
    const of = `serviceaccount ${quoted(serviceAccountName)}`;
    return retrieving("service account", `${namespace}/${serviceAccountName}`, of);
  }
  const { uid: accountUid = "" } = account.metadata;
  if (spec.serviceAccountUID !== accountUid) {
    return `${request} names service account UID ${quoted(spec.serviceAccountUID)}, which differs from the running service account (${quoted(accountUid)})`;
  }
  return undefined;
}

/** Why `node` may not request this certificate, which agents use as clients or as servers: it must name the node. */
export function signingRequestProblem(
  { spec }: CertificateSigningRequest,
  node: string,
  { domain, commandName, nodeAgentName }: Naming,
): string | undefined {
  const signers = [`${domain}/${nodeAgentName}-serving`, `${domain}/${commandName}-client-${nodeAgentName}`];
  if (!signers.includes(spec.signerName)) return undefined;
  const wanted = `system:node:${node}`;
  try {
    const { commonName } = requestSubject(Buffer.from(spec.request ?? "", "base64").toString("latin1"));
    return commonName === wanted ? undefined : `can only create a node CSR with CN=${wanted}`;
  } catch (error) {
    return `unable to parse csr: ${messageOf(error)}`;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
