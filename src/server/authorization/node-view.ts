import { NodeGraph } from "../../access/authorization/node/node-graph.js";
import { podReferences, volumeReferences } from "../../access/authorization/node/pod-references.js";
import type { BuiltinResource } from "../../apis/builtin-objects.js";
import { nodeOfSlice } from "../../apis/resource/classic/slice-node.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { FeatureGates } from "../options/feature-gates.js";

/** Source of the names: Kubernetes' `plugin/pkg/auth/authorizer/node`. */
export type GraphAction =
  | "AddPod"
  | "DeletePod"
  | "AddPV"
  | "DeletePV"
  | "AddVolumeAttachment"
  | "DeleteVolumeAttachment"
  | "AddResourceSlice"
  | "DeleteResourceSlice"
  | "AddPodCertificateRequest"
  | "DeletePodCertificateRequest";

/** Called with the duration of each change of the graph. */
export type GraphObserver = (action: GraphAction, milliseconds: number) => void;

export interface NodeViewParts {
  readonly observe: GraphObserver;
  readonly gates: FeatureGates;
  /** Whether the server has the resource: its versions may be switched off. */
  readonly serves: (resource: BuiltinResource) => boolean;
}

/** Maintains a graph of what the pods on each node need. */
export function followNodes(
  informers: Informers,
  builtin: BuiltinRegistries,
  naming: Naming,
  { observe, gates, serves }: NodeViewParts,
): NodeGraph {
  const graph = new NodeGraph({ knowsPods: gates.isEnabled("AuthorizeNodeWithSelectors") });
  const timed = (action: GraphAction, change: () => void): void => {
    const began = performance.now();
    change();
    observe(action, performance.now() - began);
  };
  const mirrorAnnotation = `${naming.domain}/config.mirror`;
  informers
    .add({
      source: () => builtin("pods"),
      view: (stored) => podReferences(stored.decode(), mirrorAnnotation),
    })
    .onChange(({ key, value }) => {
      // The graph only contains pods that have a node.
      if (value?.node === "") return graph.setPod(key, value);
      timed(value === undefined ? "DeletePod" : "AddPod", () => graph.setPod(key, value));
    });
  informers
    .add({
      source: () => builtin("persistentvolumes"),
      view: (stored) => volumeReferences(stored.decode()),
    })
    .onChange(({ key, value }) =>
      timed(value === undefined ? "DeletePV" : "AddPV", () => graph.setVolume(key, value)),
    );
  informers
    .add({
      source: () => builtin("volumeattachments.storage"),
      view: (stored) => stored.decode().spec?.nodeName ?? "",
    })
    .onChange(({ key, value }) =>
      timed(value === undefined ? "DeleteVolumeAttachment" : "AddVolumeAttachment", () =>
        graph.setOwned("attachment", key, value),
      ),
    );
  const optional = <R extends BuiltinResource>(resource: R) =>
    serves(resource) ? builtin(resource) : undefined;
  if (gates.isEnabled("DynamicResourceAllocation")) {
    informers
      .add({
        source: () => optional("resourceslices.resource"),
        view: (stored) => nodeOfSlice(stored.decode()),
      })
      .onChange(({ key, value }) =>
        timed(value === undefined ? "DeleteResourceSlice" : "AddResourceSlice", () =>
          graph.setOwned("resourceSlice", key, value),
        ),
      );
  }
  if (gates.isEnabled("PodCertificateRequest")) {
    informers
      .add({
        source: () => optional("podcertificaterequests.certificates"),
        view: (stored) => stored.decode().spec.nodeName,
      })
      .onChange(({ key, value }) =>
        timed(value === undefined ? "DeletePodCertificateRequest" : "AddPodCertificateRequest", () =>
          graph.setOwned("podCertificateRequest", key, value),
        ),
      );
  }
  return graph;
}
