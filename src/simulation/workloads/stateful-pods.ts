import type { StatefulSet } from "../../apis/gen/apps-v1.js";
import type { Pod, PodTemplateSpec, Volume } from "../../apis/gen/core-v1.js";
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
    cluster,
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
    ...identityLabels(name, ordinal, cluster),
    [revisionLabel]: revision.name,
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

/** The labels by which the pod with an ordinal is found. */
export function identityLabels(
  podName: string,
  ordinal: number,
  { domain, context }: Cluster,
): Record<string, string> {
  return {
    [`statefulset.${domain}/pod-name`]: podName,
    ...(context.isEnabled("PodIndexLabel") && { [`apps.${domain}/pod-index`]: String(ordinal) }),
  };
}

export function revisionOf({ labels }: PodView): string {
  return labels[revisionLabel] ?? "";
}
