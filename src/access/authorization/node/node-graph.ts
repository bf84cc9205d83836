/** An object that nodes reach through the pods on them. */
export type ReachableKind =
  | "secret"
  | "configMap"
  | "claim"
  | "volume"
  | "serviceAccount"
  | "resourceClaim"
  | "pod";

/** An object that names its node itself. */
export type OwnedKind = "attachment" | "resourceSlice" | "podCertificateRequest";

/** What a pod makes visible to its node. */
export interface PodReferences {
  readonly namespace: string;
  /** Empty until the pod is bound. */
  readonly node: string;
  /** Names in the pod's namespace. */
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly serviceAccount: string;
  readonly resourceClaims: readonly string[];
}

/** What a persistent volume makes visible to the nodes on which pods use its claim. */
export interface VolumeReferences {
  /** `namespace/name` of the claim; undefined for an unbound volume. */
  readonly claim: string | undefined;
  /** `namespace/name` of the secrets that nodes need to mount it. */
  readonly secrets: readonly string[];
}

interface Edge {
  readonly kind: ReachableKind;
  readonly key: string;
}

/**
 * Which nodes may see which objects: counts the paths from an object to a node, through pods or through a claim's volumes. A check is one
 * lookup; a change costs as much as the pod or volume has references.
 */
export class NodeGraph {
  /** By kind and key: number of paths per node. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #pods = new Map<string, { readonly node: string; readonly edges: readonly Edge[] }>();
  readonly #volumes = new Map<string, VolumeReferences>();
  /** Names of volumes by their claim. */
  readonly #volumesOfClaim = new Map<string, Set<string>>();
  /** Node by kind and key. */
  readonly #owners = new Map<string, string>();
  readonly #knowsPods: boolean;

  /** `knowsPods`: it also records which node a pod is on. */
  constructor({ knowsPods = false }: { readonly knowsPods?: boolean } = {}) {
    this.#knowsPods = knowsPods;
  }

  /** `key` is `namespace/name`. Undefined: the pod is gone. */
  setPod(key: string, pod: PodReferences | undefined): void {
    const before = this.#pods.get(key);
    if (before !== undefined) {
      this.#pods.delete(key);
      for (const edge of before.edges) this.#count(edge, before.node, -1);
    }
    if (pod === undefined || pod.node === "") return;
    const edges = edgesOf(pod);
    if (this.#knowsPods) edges.push({ kind: "pod", key });
    this.#pods.set(key, { node: pod.node, edges });
    for (const edge of edges) this.#count(edge, pod.node, 1);
  }

  setVolume(name: string, volume: VolumeReferences | undefined): void {
    const before = this.#volumes.get(name);
    if (before?.claim !== undefined) {
      this.#countVolume(name, before, -1);
      const volumes = this.#volumesOfClaim.get(before.claim);
      volumes?.delete(name);
      if (volumes?.size === 0) this.#volumesOfClaim.delete(before.claim);
    }
    this.#volumes.delete(name);
    if (volume?.claim === undefined) return;
    this.#volumes.set(name, volume);
    const volumes = this.#volumesOfClaim.get(volume.claim) ?? new Set();
    this.#volumesOfClaim.set(volume.claim, volumes.add(name));
    this.#countVolume(name, volume, 1);
  }

  /** `key` is `namespace/name`, or the name of a cluster-scoped object. Undefined: it is gone. */
  setOwned(kind: OwnedKind, key: string, node: string | undefined): void {
    if (node === undefined) this.#owners.delete(`${kind} ${key}`);
    else this.#owners.set(`${kind} ${key}`, node);
  }

  /** `key` is `namespace/name`, or a volume's name. */
  reaches(node: string, kind: ReachableKind, key: string): boolean {
    return this.#nodes.get(`${kind} ${key}`)?.has(node) === true;
  }

  owns(node: string, kind: OwnedKind, key: string): boolean {
    return this.#owners.get(`${kind} ${key}`) === node;
  }

  /** Each node that uses the volume's claim reaches the volume and its secrets. */
  #countVolume(name: string, { claim, secrets }: VolumeReferences, by: 1 | -1): void {
    for (const node of this.#nodes.get(`claim ${claim}`)?.keys() ?? []) {
      this.#countThroughVolume(name, secrets, node, by);
    }
  }

  #countThroughVolume(name: string, secrets: readonly string[], node: string, by: 1 | -1): void {
    this.#count({ kind: "volume", key: name }, node, by);
    for (const key of secrets) this.#count({ kind: "secret", key }, node, by);
  }

  #count({ kind, key }: Edge, node: string, by: 1 | -1): void {
    const of = `${kind} ${key}`;
    const nodes = this.#nodes.get(of) ?? new Map<string, number>();
    const before = nodes.get(node) ?? 0;
    const after = before + by;
    if (after > 0) nodes.set(node, after);
    else nodes.delete(node);
    if (nodes.size > 0) this.#nodes.set(of, nodes);
    else this.#nodes.delete(of);
    if (kind !== "claim" || (before > 0 && after > 0)) return;
    // The first path to a claim makes its volumes reachable; with the last one they become unreachable.
    for (const name of this.#volumesOfClaim.get(key) ?? []) {
      this.#countThroughVolume(name, this.#volumes.get(name)?.secrets ?? [], node, by);
    }
  }
}

function edgesOf({
  namespace,
  secrets,
  configMaps,
  claims,
  serviceAccount,
  resourceClaims,
}: PodReferences): Edge[] {
  const edges = (kind: ReachableKind, names: readonly string[]): Edge[] =>
    [...new Set(names)].map((name) => ({ kind, key: `${namespace}/${name}` }));
  return [
    ...edges("secret", secrets),
    ...edges("configMap", configMaps),
    ...edges("claim", claims),
    ...edges("resourceClaim", resourceClaims),
    ...(serviceAccount === "" ? [] : edges("serviceAccount", [serviceAccount])),
  ];
}
