import type { StatefulSet } from "../../apis/gen/apps-v1.js";
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from "../../apis/gen/core-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";
import type { PodControl } from "./pod-control.js";
import { type Revision, revisionLabel } from "./revision-history.js";

/** The number at the end of a pod's name; undefined if the pod is not one of the set's. */
export function ordinalOf(setName: string, podName: string): number | undefined {
  if (!podName.startsWith(`${setName}-`)) return undefined;
  const text = podName.slice(setName.length + 1);
  return /^(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
}

export function claimName(template: string, setName: string, ordinal: number): string {
  return `${template}-${setName}-${ordinal}`;
}

/** The pod with an ordinal, which determines its name, host name and claims. */
export function statefulPod(
  control: PodControl,
  view: SelectingView<StatefulSet>,
  { spec }: StatefulSet,
  {
    ordinal,
    revision,
    template,
    cluster: { domain, context },
  }: {
    readonly ordinal: number;
    readonly revision: Revision;
    readonly template: PodTemplateSpec;
    readonly cluster: Cluster;
  },
): Pod {
  const name = `${view.name}-${ordinal}`;
  const pod = control.podOf(view, template, name);
  pod.metadata.labels = {
    ...pod.metadata.labels,
    [`statefulset.${domain}/pod-name`]: name,
    [revisionLabel]: revision.name,
    ...(context.isEnabled("PodIndexLabel") && { [`apps.${domain}/pod-index`]: String(ordinal) }),
  };
  pod.spec.hostname = name;
  pod.spec.subdomain = spec.serviceName;
  const claims: Volume[] = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    name: metadata.name ?? "",
    persistentVolumeClaim: { claimName: claimName(metadata.name ?? "", view.name, ordinal) },
  }));
  const others = (pod.spec.volumes ?? []).filter(
    (volume) => !claims.some(({ name }) => name === volume.name),
  );
  if (claims.length > 0) pod.spec.volumes = [...claims, ...others];
  return pod;
}

/** The claims that a pod of the set needs. */
export function claimsOf(
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

export function revisionOf({ labels }: PodView): string {
  return labels[revisionLabel] ?? "";
}
