import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { notFound } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { TokenRequest } from "../../apis/gen/authentication-v1.js";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import type { PodCertificateRequest } from "../../apis/gen/certificates-v1beta1.js";
import type { Node, PersistentVolumeClaim, Pod } from "../../apis/gen/core-v1.js";
import { type AnyResourceSlice, nodeOfSlice } from "../../apis/resource/classic/slice-node.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { typedWrite, type WriteOf } from "../checks/writes-of.js";
import { certificateRequestProblem, signingRequestProblem } from "./node-certificate-request.js";
import { isNodeAgentLabel, isReservedLabel, isRestrictedLabel } from "./node-labels.js";
import { referredResource } from "./node-pod-references.js";
import { audienceProblem } from "./node-token-audience.js";
import type { PluginContext } from "./plugin-context.js";

const userPrefix = "system:node:";
const group = "system:nodes";

type Context = Pick<PluginContext, "naming" | "cluster" | "isEnabled" | "authorizer" | "level">;

/** Limits a node agent's writes to its own node, the pods on it, and what they need. */
export function nodeRestriction(context: Context): AdmissionPlugin {
  const { naming } = context;
  const coordination = naming.group("coordination");
  const storage = naming.group("storage");
  const certificates = naming.group("certificates");
  const resources = naming.group("resource");
  return {
    operations: ["CREATE", "UPDATE", "DELETE"],
    mutate(attributes) {
      const node = nodeOf(attributes.user);
      if (node === undefined) return;
      if (node === "") {
        throw refused(attributes, `could not determine node from user "${attributes.user.name}"`);
      }
      const restricted = new Restricted(context, attributes, node);
      const { resource } = attributes;
      switch (`${resource.resource}.${resource.group}`) {
        case "pods.":
          return restricted.pod();
        case "nodes.":
          return restricted.node(typedWrite(attributes));
        case "persistentvolumeclaims.":
          return restricted.claim(typedWrite(attributes));
        case "serviceaccounts.":
          if (attributes.subresource === "token") return restricted.token(typedWrite(attributes));
          return;
        case `leases.${coordination}`:
          return restricted.lease();
        case `csinodes.${storage}`:
          return restricted.named("CSINode");
        case `certificatesigningrequests.${certificates}`:
          return restricted.signingRequest(typedWrite(attributes));
        case `podcertificaterequests.${certificates}`:
          return restricted.certificateRequest(typedWrite(attributes));
        case `resourceslices.${resources}`:
          return restricted.resourceSlice(typedWrite(attributes));
      }
    },
  };
}

/** Undefined for a user that is not a node agent, empty for an agent without a recognizable node. */
function nodeOf({ name, groups }: UserInfo): string | undefined {
  if (!groups.includes(group)) return undefined;
  return name.startsWith(userPrefix) ? name.slice(userPrefix.length) : undefined;
}

/** A request of the agent of `node`. Every method throws its refusal. */
class Restricted {
  readonly #context: Context;
  readonly #attributes: AdmissionAttributes;
  readonly #node: string;

  constructor(context: Context, attributes: AdmissionAttributes, node: string) {
    this.#context = context;
    this.#attributes = attributes;
    this.#node = node;
  }

  pod(): Promise<void> | void {
    switch (this.#attributes.subresource) {
      case "":
        return this.#podItself(typedWrite(this.#attributes));
      case "status":
        return this.#podStatus(typedWrite(this.#attributes));
      case "eviction":
        return this.#podEviction();
      default:
        return this.#refuse(
          `unexpected pod subresource "${this.#attributes.subresource}", only 'status' and 'eviction' are allowed`,
        );
    }
  }

  #podItself(write: WriteOf<Pod>): Promise<void> | void {
    if (write.operation === "CREATE") return this.#podCreate(write.object);
    if (write.operation === "DELETE") return this.#podDelete(write.oldObject);
    return this.#refuse(
      `unexpected operation "${write.operation}", node "${this.#node}" can only create and delete mirror pods`,
    );
  }

  async #podCreate({ metadata, spec }: Pod): Promise<void> {
    const { naming, cluster } = this.#context;
    const mirror = `${naming.domain}/config.mirror`;
    const node = `node "${this.#node}"`;
    if (metadata.annotations?.[mirror] === undefined) {
      this.#refuse(`pod does not have "${mirror}" annotation, ${node} can only create mirror pods`);
    }
    if (spec.nodeName !== this.#node) {
      this.#refuse(`${node} can only create pods with spec.nodeName set to itself`);
    }
    const [owner, ...others] = metadata.ownerReferences ?? [];
    if (others.length > 0) {
      this.#refuse(`${node} can only create pods with a single owner reference set to itself`);
    }
    if (owner?.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== this.#node) {
      this.#refuse(`${node} can only create pods with an owner reference set to itself`);
    }
    if (owner.controller !== true) {
      this.#refuse(`${node} can only create pods with a controller owner reference set to itself`);
    }
    if (owner.blockOwnerDeletion === true) {
      this.#refuse(`${node} must not set blockOwnerDeletion on an owner reference`);
    }
    const found = await cluster.read("nodes", "", this.#node);
    if (found === undefined) throw notFound({ group: "", resource: "nodes" }, this.#node);
    const uid = found.metadata.uid ?? "";
    if (owner.uid !== uid) {
      this.#refuse(`node ${this.#node} UID mismatch: expected ${owner.uid} got ${uid}`);
    }
    const referred = referredResource(spec, this.#context.level);
    if (referred !== undefined) this.#refuse(`${node} can not create pods that reference ${referred}`);
  }

  #podDelete({ spec }: Pod): void {
    if (spec.nodeName === this.#node) return;
    this.#refuse(`node "${this.#node}" can only delete pods with spec.nodeName set to itself`);
  }

  /** A status is written as its pod. */
  #podStatus({ operation, object: pod, oldObject: old }: WriteOf<Pod>): void {
    if (operation !== "UPDATE") this.#refuse(`unexpected operation "${operation}"`);
    const node = `node "${this.#node}"`;
    if (old.spec.nodeName !== this.#node) {
      this.#refuse(`${node} can only update pod status for pods with spec.nodeName set to itself`);
    }
    if (!isDeepEqual(pod.metadata.labels ?? {}, old.metadata.labels ?? {})) {
      this.#refuse(`${node} cannot update labels through pod status`);
    }
    // Earlier levels have no such fields.
    const { status } = pod;
    const claims = status.resourceClaimStatuses ?? [];
    if (!isDeepEqual(claims, old.status.resourceClaimStatuses ?? [])) {
      this.#refuse(`${node} cannot update resource claim statues`);
    }
    if (!isDeepEqual(status.extendedResourceClaimStatus, old.status.extendedResourceClaimStatus)) {
      this.#refuse(`${node} cannot update extended resource claim status`);
    }
  }

  async #podEviction(): Promise<void> {
    const { operation, name } = this.#attributes;
    if (operation !== "CREATE") this.#refuse(`unexpected operation ${operation}`);
    const pod = await this.#findPod(name);
    if (pod.spec.nodeName !== this.#node) {
      this.#refuse(`node ${this.#node} can only evict pods with spec.nodeName set to itself`);
    }
  }

  node(write: WriteOf<Node>): void {
    if (write.name !== this.#node) {
      this.#refuse(`node "${this.#node}" is not allowed to modify node "${write.name}"`);
    }
    if (write.operation === "CREATE") this.#nodeCreate(write.object);
    if (write.operation === "UPDATE") this.#nodeUpdate(write.object, write.oldObject);
  }

  #nodeCreate(node: Node): void {
    if (node.spec.configSource !== undefined) {
      this.#refuse(`node "${this.#node}" is not allowed to create pods with a non-nil configSource`);
    }
    const labels = this.#forbiddenLabels(node, undefined);
    if (labels.length > 0) {
      this.#refuse(`node "${this.#node}" is not allowed to set the following labels: ${labels.join(", ")}`);
    }
  }

  #nodeUpdate(node: Node, old: Node): void {
    const refuse = (what: string): never => this.#refuse(`node "${this.#node}" is not allowed to ${what}`);
    const source = node.spec.configSource;
    if (source !== undefined && !isDeepEqual(source, old.spec.configSource)) {
      refuse("update configSource to a new non-nil configSource");
    }
    if (!isDeepEqual(node.spec.taints ?? [], old.spec.taints ?? [])) refuse("modify taints");
    // A node whose owner is missing would be garbage collected, and could be recreated with other taints and labels.
    const keepsOwners = isAtLeast(this.#context.level, "1.31");
    const ownersOf = ({ metadata }: Node) => metadata.ownerReferences ?? [];
    if (keepsOwners && !isDeepEqual(ownersOf(node), ownersOf(old))) refuse("modify ownerReferences");
    const labels = this.#forbiddenLabels(node, old);
    if (labels.length > 0) this.#refuse(`is not allowed to modify labels: ${labels.join(", ")}`);
  }

  /** Labels by which workloads choose nodes: an agent that sets them could attract such workloads. */
  #forbiddenLabels(node: Node, old: Node | undefined): readonly string[] {
    const { naming } = this.#context;
    const [labels, before] = [node.metadata.labels ?? {}, old?.metadata.labels ?? {}];
    return [...new Set([...Object.keys(labels), ...Object.keys(before)])]
      .filter((key) => labels[key] !== before[key])
      .filter(
        (key) =>
          isRestrictedLabel(key, naming) || (isReservedLabel(key, naming) && !isNodeAgentLabel(key, naming)),
      )
      .sort();
  }

  /** A status is written as its claim. */
  claim({ subresource, operation, object, oldObject }: WriteOf<PersistentVolumeClaim>): void {
    if (subresource !== "status") this.#refuse("may only update PVC status");
    if (operation !== "UPDATE") this.#refuse(`unexpected operation "${operation}"`);
    if (!this.#context.isEnabled("ExpandPersistentVolumes")) {
      this.#refuse(`node "${this.#node}" is not allowed to update persistentvolumeclaim metadata`);
    }
    if (isDeepEqual(unchanging(object), unchanging(oldObject))) return;
    this.#refuse(
      `node "${this.#node}" is not allowed to update fields other than status.capacity and status.conditions`,
    );
  }

  async token({ operation, object: request }: WriteOf<TokenRequest>): Promise<void> {
    if (operation !== "CREATE") return;
    const { boundObjectRef: bound } = request.spec;
    if (bound?.apiVersion !== "v1" || bound.kind !== "Pod" || (bound.name ?? "") === "") {
      this.#refuse("node requested token not bound to a pod");
    }
    if ((bound.uid ?? "") === "") this.#refuse("node requested token with a pod binding without a uid");
    const pod = await this.#findPod(bound.name ?? "");
    if (bound.uid !== pod.metadata.uid) {
      this.#refuse(
        `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    }
    if (pod.spec.nodeName !== this.#node) {
      this.#refuse("node requested token bound to a pod scheduled on a different node");
    }
    if (!this.#context.isEnabled("ServiceAccountNodeAudienceRestriction")) return;
    const problem = await audienceProblem(this.#context, this.#attributes, request, pod);
    if (problem !== undefined) this.#refuse(problem);
  }

  lease(): void {
    const { nodeLeaseNamespace } = this.#context.naming;
    if (this.#attributes.namespace !== nodeLeaseNamespace) {
      this.#refuse(`can only access leases in the "${nodeLeaseNamespace}" system namespace`);
    }
    this.named("node lease");
  }

  named(what: string): void {
    if (this.#attributes.name === this.#node) return;
    this.#refuse(`can only access ${what} with the same name as the requesting node`);
  }

  signingRequest({ operation, object: request }: WriteOf<CertificateSigningRequest>): void {
    const { naming, isEnabled } = this.#context;
    if (operation !== "CREATE" || isEnabled("AllowInsecureNodeAgentCertificateSigningRequests")) return;
    const problem = signingRequestProblem(request, this.#node, naming);
    if (problem !== undefined) this.#refuse(problem);
  }

  async certificateRequest({
    operation,
    subresource,
    namespace,
    object: request,
  }: WriteOf<PodCertificateRequest>): Promise<void> {
    if (operation !== "CREATE") this.#refuse(`unexpected operation ${operation}`);
    if (subresource !== "") this.#refuse(`unexpected subresource ${subresource}`);
    const problem = await certificateRequestProblem(request, namespace, this.#node, this.#context);
    if (problem !== undefined) this.#refuse(problem);
  }

  /** All other writes are already limited by the Node authorizer. */
  resourceSlice(write: WriteOf<AnyResourceSlice>): void {
    if (write.operation === "UPDATE") return;
    if (write.operation === "DELETE" && !isAtLeast(this.#context.level, "1.31")) return;
    const slice = write.operation === "CREATE" ? write.object : write.oldObject;
    if (nodeOfSlice(slice) === this.#node) return;
    const what = write.operation.toLowerCase();
    this.#refuse(`can only ${what} ResourceSlice with the same NodeName as the requesting node`);
  }

  async #findPod(name: string): Promise<Pod> {
    const found = await this.#context.cluster.read("pods", this.#attributes.namespace, name);
    // As Kubernetes' lister words it.
    if (found === undefined) throw notFound({ group: "", resource: "pod" }, name);
    return found;
  }

  #refuse(why: string): never {
    throw refused(this.#attributes, why);
  }
}

/** The parts of a claim that a status update may not change. */
function unchanging(claim: PersistentVolumeClaim): object {
  const { metadata, status, ...rest } = claim;
  return {
    ...rest,
    metadata: { ...metadata, resourceVersion: undefined, managedFields: undefined },
    status: {
      ...status,
      capacity: undefined,
      conditions: undefined,
      allocatedResources: undefined,
      allocatedResourceStatuses: undefined,
      resizeStatus: undefined,
    },
  };
}
