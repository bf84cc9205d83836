import { NodeGraph } from "../../access/authorization/node/node-graph.js";
import { podReferences, volumeReferences } from "../../access/authorization/node/pod-references.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";

/** Maintains a graph of what the pods on each node need. */
export function followNodes(informers: Informers, builtin: BuiltinRegistries, naming: Naming): NodeGraph {
  const graph = new NodeGraph();
  const mirrorAnnotation = `${naming.domain}/config.mirror`;
  informers
    .add({
      source: () => builtin("pods"),
      view: (stored) => podReferences(stored.decode(), mirrorAnnotation),
    })
    .onChange(({ key, value }) => graph.setPod(key, value));
  informers
    .add({
      source: () => builtin("persistentvolumes"),
      view: (stored) => volumeReferences(stored.decode()),
    })
    .onChange(({ key, value }) => graph.setVolume(key, value));
  informers
    .add({
      source: () => builtin("volumeattachments.storage"),
      view: (stored) => stored.decode().spec?.nodeName ?? "",
    })
    .onChange(({ key, value }) => graph.setAttachment(key, value));
  return graph;
}
