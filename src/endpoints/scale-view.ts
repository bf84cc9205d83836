import type { ApiObject } from "../apimachinery/meta.js";
import type { Codec } from "../apimachinery/schema/codec.js";
import { strategy } from "../apis/definition/base-strategy.js";
import { defineResource, noSelectableFields } from "../apis/definition/define-resource.js";
import type { Scale } from "../apis/gen/autoscaling-v1.js";
import { createVersionedView, type VersionedView } from "../registry/generic/versioned-view.js";

/** autoscaling/v1 Scale as if it were a resource of its own, which it is for who tracks its fields. */
export function createScaleView(codec: Codec<Scale>): VersionedView<Scale> {
  const version = {
    version: "v1",
    // Whoever uses the view with Scales gets Scales.
    codec: codec as unknown as Codec<ApiObject>,
    enabledByDefault: true,
    setDefaults() {},
    conversion: { hub: true } as const,
  };
  const definition = defineResource<Scale>({
    group: "autoscaling",
    resource: "scales",
    kind: "Scale",
    namespaced: true,
    versions: [version],
    storage: undefined,
    strategy: strategy<Scale>(),
    selectableFields: noSelectableFields,
  });
  return createVersionedView(definition, version);
}
