import { NodeGraph, type OwnedKind } from "../../access/authorization/node/node-graph.js";
import { podReferences, volumeReferences } from "../../access/authorization/node/pod-references.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import { nodeOfSlice } from "../../apis/resource/classic/slice-node.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { FeatureGates } from "../options/feature-gates.js";

/** Source of the names: Kubernetes' `plugin/pkg/auth/authorizer/node`. */
export type GraphAction = `${"Add" | "Delete"}${"Pod" | "PV" | OwnedName}`;

type OwnedName = "VolumeAttachment" | "ResourceSlice" | "PodCertificateRequest";

/** Objects that each belong to one node. */
interface OwnedObjects<R extends BuiltinResource> {
  readonly resource: R;
  readonly kind: OwnedKind;
  readonly name: OwnedName;
  readonly nodeOf: (object: BuiltinObjects[R]) => string;
}

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
  const mirrorAnnotation = `${naming.domain}/config.mirror`;
  const timed = (action: GraphAction, change: () => void): void => {
    const began = performance.now();
    change();
    observe(action, performance.now() - began);
  };
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
  const follow = <R extends BuiltinResource>({ resource, kind, name, nodeOf }: OwnedObjects<R>): void => {
    informers
      .add({
        source: () => (serves(resource) ? builtin(resource) : undefined),
        view: (stored) => nodeOf(stored.decode()),
      })
      .onChange(({ key, value }) =>
        timed(`${value === undefined ? "Delete" : "Add"}${name}`, () => graph.setOwned(kind, key, value)),
      );
  };
  follow(attachments);
  if (gates.isEnabled("DynamicResourceAllocation")) follow(slices);
  if (gates.isEnabled("PodCertificateRequest")) follow(certificateRequests);
  return graph;
}

const attachments: OwnedObjects<"volumeattachments.storage"> = {
  resource: "volumeattachments.storage",
  kind: "attachment",
  name: "VolumeAttachment",
  nodeOf: ({ spec }) => spec?.nodeName ?? "",
};

const slices: OwnedObjects<"resourceslices.resource"> = {
  resource: "resourceslices.resource",
  kind: "resourceSlice",
  name: "ResourceSlice",
  nodeOf: nodeOfSlice,
};

const certificateRequests: OwnedObjects<"podcertificaterequests.certificates"> = {
  resource: "podcertificaterequests.certificates",
  kind: "podCertificateRequest",
  name: "PodCertificateRequest",
  nodeOf: ({ spec }) => spec.nodeName,
};
