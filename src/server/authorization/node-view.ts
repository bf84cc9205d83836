import { NodeGraph } from "../../access/authorization/node/node-graph.js";
import { podReferences, volumeReferences } from "../../access/authorization/node/pod-references.js";
import type { PersistentVolume, Pod } from "../../apis/gen/core-v1.js";
import type { VolumeAttachment } from "../../apis/gen/storage-v1.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";

/** Maintains a graph of what the pods on each node need. */
export function followNodes(
  informers: Informers,
  registry: (group: string, resource: string) => ResourceRegistry,
  naming: Naming,
): NodeGraph {
  const graph = new NodeGraph();
  const mirrorAnnotation = `${naming.domain}/config.mirror`;
  // Each registry only holds objects of its own kind.
  informers
    .add({
      source: () => registry("", "pods"),
      view: (stored) => podReferences(stored.decode() as Pod, mirrorAnnotation),
    })
    .onChange(({ key, value }) => graph.setPod(key, value));
  informers
    .add({
      source: () => registry("", "persistentvolumes"),
      view: (stored) => volumeReferences(stored.decode() as PersistentVolume),
    })
    .onChange(({ key, value }) => graph.setVolume(key, value));
  informers
    .add({
      source: () => registry(naming.group("storage"), "volumeattachments"),
      view: (stored) => (stored.decode() as VolumeAttachment).spec?.nodeName ?? "",
    })
    .onChange(({ key, value }) => graph.setAttachment(key, value));
  return graph;
}
