import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { OwnerReference } from "../../apimachinery/objects/meta.js";
import type { StatefulSet } from "../../apis/gen/apps-v1.js";
import type { PersistentVolumeClaim } from "../../apis/gen/core-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import { ownerReference } from "../machinery/owners.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";
import type { PodControl } from "./pod-control.js";
import { claimName } from "./stateful-pods.js";

type View = SelectingView<StatefulSet>;

const podKind = { apiVersion: "v1", kind: "Pod" };

/**
 * The volume claims of stateful sets' pods: created before the pods, and deleted with the pod or the set if the set's retention policy
 * says so.
 */
export class StatefulClaims {
  readonly #cluster: Cluster;
  readonly #control: PodControl;

  constructor(cluster: Cluster, control: PodControl) {
    this.#cluster = cluster;
    this.#control = control;
  }

  async create(view: View, set: StatefulSet, ordinal: number): Promise<void> {
    const known = this.#cluster.views.of("persistentvolumeclaims");
    for (const claim of claimsOf(set, view, ordinal)) {
      const name = claim.metadata.name ?? "";
      if (known.get(`${view.namespace}/${name}`) !== undefined) continue;
      if (this.#ownerKind(set, false) === "set") {
        claim.metadata.ownerReferences = [this.#control.reference(view)];
      }
      await this.#control.writer.create("persistentvolumeclaims", view.namespace, claim);
      const pod = `${view.name}-${ordinal}`;
      const message = `create Claim ${name} Pod ${pod} in StatefulSet ${view.name} success`;
      this.#control.recorder.record(this.#control.subject(view), "Normal", "SuccessfulCreate", message);
    }
  }

  /** Sets the owner of a pod's claims that the set's retention policy wants. `isSurplus`: the set no longer wants the pod. */
  async follow(
    view: View,
    set: StatefulSet,
    {
      ordinal,
      pod,
      isSurplus,
    }: { readonly ordinal: number; readonly pod: PodView; readonly isSurplus: boolean },
  ): Promise<void> {
    if (!this.#cluster.context.isEnabled("StatefulSetAutoDeletePVC")) return;
    const kind = this.#ownerKind(set, isSurplus);
    const owner = kind === "set" ? this.#control.reference(view) : ownerReference(podKind, pod);
    const isOurs = ({ uid }: OwnerReference) => uid === view.uid || uid === pod.uid;
    for (const template of set.spec.volumeClaimTemplates ?? []) {
      const name = claimName(template.metadata.name ?? "", view.name, ordinal);
      const claim = this.#cluster.views.of("persistentvolumeclaims").get(`${view.namespace}/${name}`);
      if (claim === undefined) continue;
      const before = claim.stored.decode().metadata.ownerReferences ?? [];
      const others = before.filter((reference) => !isOurs(reference));
      const isTaken = others.some(({ controller }) => controller === true);
      const after = kind === undefined || isTaken ? others : [...others, owner];
      if (isDeepEqual(before, after)) continue;
      await this.#control.writer.change("persistentvolumeclaims", claim, ({ metadata }) => {
        metadata.ownerReferences = after.length === 0 ? undefined : after;
      });
    }
  }

  /** Undefined for claims that are kept. */
  #ownerKind({ spec }: StatefulSet, isSurplus: boolean): "set" | "pod" | undefined {
    const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
    if (isSurplus && whenScaled === "Delete") return "pod";
    return whenDeleted === "Delete" ? "set" : undefined;
  }
}

/** The claims that a pod of the set needs. */
function claimsOf(
  { spec }: StatefulSet,
  view: SelectingView<StatefulSet>,
  ordinal: number,
): PersistentVolumeClaim[] {
  return (spec.volumeClaimTemplates ?? []).map((template) => {
    const claim = structuredClone(template);
    claim.metadata = {
      ...claim.metadata,
      name: claimName(template.metadata.name ?? "", view.name, ordinal),
      labels: { ...claim.metadata.labels, ...spec.selector?.matchLabels },
    };
    claim.status = {};
    return claim;
  });
}
