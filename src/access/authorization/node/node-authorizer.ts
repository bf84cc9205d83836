import { quoted } from "../../../apimachinery/errors/quoted-text.js";
import { isLimitedTo } from "../../../apimachinery/requests/access-selectors.js";
import {
  type AccessInfo,
  type AccessQuestion,
  type AccessRules,
  type Authorizer,
  allow,
  type Decision,
  noAccess,
  noOpinion,
} from "../../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import type { PolicyRule } from "../../../apis/gen/rbac-v1.js";
import { RuleIndex } from "../rbac/role-rules.js";
import type { NodeGraph, OwnedKind, ReachableKind } from "./node-graph.js";

export interface NodeAuthorizerParts {
  readonly graph: NodeGraph;
  /** Permissions of nodes that are not limited to their own objects. */
  readonly rules: readonly PolicyRule[];
  /** Namespace of the nodes' leases. */
  readonly leaseNamespace: string;
  readonly storageGroup: string;
  readonly coordinationGroup: string;
  readonly resourceGroup: string;
  readonly certificatesGroup: string;
  readonly features: NodeFeatures;
}

/** Features that depend on the level and its gates. */
export interface NodeFeatures {
  /** A node reads only itself and the pods on it; lists must be limited to them. */
  readonly selectors: boolean;
  /** Whether nodes may read resource claims, and resource slices (`slices`). */
  readonly resourceClaims: boolean;
  readonly slices: boolean;
  /** Whether a node may read the accounts of its pods; undefined at levels where nodes never could. */
  readonly serviceAccounts?: boolean | undefined;
  /** Whether a node may request certificates for its pods; undefined at levels without them. */
  readonly podCertificates?: boolean | undefined;
}

/** What a node may read depends on its pods, so it cannot be listed. */
const unlisted: AccessRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  error: "node authorizer does not support user rule resolution",
};

const userPrefix = "system:node:";
const nodesGroup = "system:nodes";
const ownVerbs = ["get", "create", "update", "patch", "delete"];

/**
 * Mode Node: lets each node agent read what the pods on its node need, and write its node's own objects. Has no opinion on other
 * users. Source: Kubernetes documentation, "Using Node Authorization".
 */
export class NodeAuthorizer implements Authorizer {
  readonly #parts: NodeAuthorizerParts;
  readonly #rules = new RuleIndex<true>();

  constructor(parts: NodeAuthorizerParts) {
    this.#parts = parts;
    this.#rules.add(parts.rules, true);
  }

  authorize({ user, info }: AccessQuestion): Decision {
    const node = nodeOf(user);
    if (node === undefined) return noOpinion;
    if (node === "") return undecided(`unknown node for user ${quoted(user.name)}`);
    const decided = info.isResourceRequest ? this.#decide(node, info) : undefined;
    return decided ?? (this.#rules.find(info) === true ? allow : noOpinion);
  }

  rulesFor(user: UserInfo): AccessRules {
    return nodeOf(user) === undefined ? noAccess : unlisted;
  }

  /** Undefined for resources about which the rules decide. */
  #decide(node: string, info: AccessInfo): Decision | undefined {
    const { graph, leaseNamespace, storageGroup, coordinationGroup, resourceGroup, certificatesGroup } =
      this.#parts;
    const { apiGroup, resource } = info;
    switch (apiGroup) {
      case "":
        return this.#decideCore(node, info);
      case resourceGroup:
        return this.#decideDevices(node, info);
      case certificatesGroup:
        return resource === "podcertificaterequests" ? this.#decideCertificateRequest(node, info) : undefined;
      case storageGroup:
        if (resource === "csinodes") return csiNodeProblem(node, info) ?? allow;
        if (resource !== "volumeattachments") return undefined;
        return getProblem(info) ?? (graph.owns(node, "attachment", info.name) ? allow : noRelationship(node));
      case coordinationGroup:
        return resource === "leases" ? (leaseProblem(node, info, leaseNamespace) ?? allow) : undefined;
      default:
        return undefined;
    }
  }

  #decideCore(node: string, info: AccessInfo): Decision | undefined {
    const { features } = this.#parts;
    switch (info.resource) {
      case "secrets":
        return readProblem(info) ?? this.#through(node, "secret", info);
      case "configmaps":
        return readProblem(info) ?? this.#through(node, "configMap", info);
      case "persistentvolumeclaims": {
        const problem = info.subresource === "status" ? statusProblem(info) : getProblem(info);
        return problem ?? this.#through(node, "claim", info);
      }
      case "persistentvolumes":
        return getProblem(info) ?? this.#through(node, "volume", info);
      case "serviceaccounts":
        return this.#decideAccount(node, info);
      case "nodes":
        return features.selectors ? decideNode(node, info) : undefined;
      case "pods":
        return features.selectors ? this.#decidePod(node, info) : undefined;
      default:
        return undefined;
    }
  }

  #decideAccount(node: string, info: AccessInfo): Decision {
    const { serviceAccounts } = this.#parts.features;
    const isRead = info.verb === "get" && info.subresource === "" && serviceAccounts !== undefined;
    if (isRead && !serviceAccounts) return undecided("not allowed to get service accounts");
    const problem = isRead ? readProblem(info) : tokenProblem(info);
    return problem ?? this.#through(node, "serviceAccount", info);
  }

  #decidePod(node: string, info: AccessInfo): Decision {
    const { verb, subresource, name, selectors } = info;
    if (subresource === "eviction") return verb === "create" ? allow : noOpinion;
    if (subresource === "status") return verb === "update" || verb === "patch" ? allow : noOpinion;
    if (subresource !== "") return noOpinion;
    if (verb === "get") return getProblem(info) ?? this.#through(node, "pod", info);
    if (verb === "list" || verb === "watch") {
      if (isLimitedTo(selectors, "spec.nodeName", node)) return allow;
      if (name !== "") return this.#through(node, "pod", info);
      return undecided("can only list/watch pods with spec.nodeName field selector");
    }
    return verb === "create" || verb === "delete" ? allow : noOpinion;
  }

  #decideDevices(node: string, info: AccessInfo): Decision | undefined {
    const { resourceClaims, slices } = this.#parts.features;
    if (info.resource === "resourceclaims" && resourceClaims) {
      return getProblem(info) ?? this.#through(node, "resourceClaim", info);
    }
    return info.resource === "resourceslices" && slices ? this.#decideSlice(node, info) : undefined;
  }

  #decideSlice(node: string, info: AccessInfo): Decision {
    const { verb, subresource, selectors } = info;
    if (subresource !== "") return undecided("cannot authorize ResourceSlice subresources");
    // The admission plugin NodeRestriction checks the node of a new slice.
    if (verb === "create") return allow;
    if (ownVerbs.includes(verb)) return this.#owned(node, "resourceSlice", info);
    if (verb === "list" || verb === "watch" || verb === "deletecollection") {
      if (!this.#parts.features.selectors || isLimitedTo(selectors, "spec.nodeName", node)) return allow;
      return undecided("can only list/watch/deletecollection resourceslices with nodeName field selector");
    }
    return undecided(
      "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
    );
  }

  #decideCertificateRequest(node: string, info: AccessInfo): Decision | undefined {
    const { podCertificates, selectors: hasSelectors } = this.#parts.features;
    if (podCertificates === undefined) return undefined;
    if (!podCertificates || !hasSelectors) return noOpinion;
    const { verb, subresource, selectors } = info;
    if (subresource !== "") {
      return undecided("nodes may not access the status subresource of PodCertificateRequests");
    }
    if (verb === "create") return allow;
    if (verb === "get") return this.#owned(node, "podCertificateRequest", info);
    if (verb === "list" || verb === "watch") {
      return isLimitedTo(selectors, "spec.nodeName", node)
        ? allow
        : undecided("can only list/watch podcertificaterequests with nodeName field selector");
    }
    return undecided(`nodes may not ${verb} podcertificaterequests`);
  }

  /** Decides about an object that pods on the node need. */
  #through(node: string, kind: ReachableKind, info: AccessInfo): Decision {
    if (info.name === "") return undecided("No Object name found");
    const key = kind === "volume" ? info.name : `${info.namespace}/${info.name}`;
    return this.#parts.graph.reaches(node, kind, key) ? allow : noRelationship(node);
  }

  /** Decides about an object that names its node itself. */
  #owned(node: string, kind: OwnedKind, info: AccessInfo): Decision {
    if (info.name === "") return undecided("No Object name found");
    const key = info.namespace === "" ? info.name : `${info.namespace}/${info.name}`;
    return this.#parts.graph.owns(node, kind, key) ? allow : noRelationship(node);
  }
}

/** The admission plugin NodeRestriction checks which node is written. */
function decideNode(node: string, { verb, subresource, name }: AccessInfo): Decision {
  const writes = verb === "update" || verb === "patch";
  if (subresource === "status") return writes ? allow : noOpinion;
  if (subresource !== "") return noOpinion;
  if (writes || verb === "create") return allow;
  if (verb !== "get" && verb !== "list" && verb !== "watch") return noOpinion;
  if (name === node) return allow;
  return name === ""
    ? undecided(`node '${node}' cannot read all nodes, only its own Node object`)
    : undecided(`node '${node}' cannot read '${name}', only its own Node object`);
}

/** Undefined for users that are not node agents. */
function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(userPrefix) && groups.includes(nodesGroup)
    ? name.slice(userPrefix.length)
    : undefined;
}

function undecided(reason: string): Decision {
  return { kind: "noOpinion", reason };
}

function noRelationship(node: string): Decision {
  return undecided(`no relationship found between node '${node}' and this object`);
}

function readProblem({ verb, subresource, namespace }: AccessInfo): Decision | undefined {
  if (!["get", "list", "watch"].includes(verb)) return undecided("can only read resources of this type");
  if (subresource !== "") return undecided("cannot read subresource");
  return namespace === "" ? undecided("can only read namespaced object of this type") : undefined;
}

function getProblem({ verb, name, subresource }: AccessInfo): Decision | undefined {
  if (verb !== "get" || name === "") return undecided("can only get individual resources of this type");
  return subresource === "" ? undefined : undecided("cannot get subresource");
}

function statusProblem({ verb }: AccessInfo): Decision | undefined {
  return verb === "update" || verb === "patch"
    ? undefined
    : undecided("can only update resource of this type");
}

function tokenProblem({ verb, name, subresource }: AccessInfo): Decision | undefined {
  if (verb !== "create" || name === "") {
    return undecided("can only create tokens for individual service accounts");
  }
  return subresource === "token"
    ? undefined
    : undecided("can only create token subresource of service account");
}

/** The name of a new object is in the body; admission checks it. */
function leaseProblem(
  node: string,
  { verb, namespace, name }: AccessInfo,
  leaseNamespace: string,
): Decision | undefined {
  if (!ownVerbs.includes(verb)) {
    return undecided("can only get, create, update, patch, or delete a node lease");
  }
  if (namespace !== leaseNamespace) {
    return undecided(`can only access leases in the ${quoted(leaseNamespace)} system namespace`);
  }
  return verb === "create" || name === node
    ? undefined
    : undecided("can only access node lease with the same name as the requesting node");
}

function csiNodeProblem(node: string, { verb, subresource, name }: AccessInfo): Decision | undefined {
  if (!ownVerbs.includes(verb)) return undecided("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return undecided("cannot authorize CSINode subresources");
  return verb === "create" || name === node
    ? undefined
    : undecided("can only access CSINode with the same name as the requesting node");
}
