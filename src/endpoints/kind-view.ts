import type { ApiObject, GroupVersionKind } from "../apimachinery/meta.js";
import type { Codec } from "../apimachinery/schema/codec.js";
import { strategy } from "../apis/definition/base-strategy.js";
import { defineResource, noSelectableFields } from "../apis/definition/define-resource.js";
import { createVersionedView, type VersionedView } from "../registry/generic/versioned-view.js";

/**
 * A kind that no resource is of (Scale, TokenRequest) as if it were that of one, which it is for who reads bodies and tracks
 * fields.
 */
export function createKindView<T extends ApiObject>(
  { group, version, kind }: GroupVersionKind,
  codec: Codec<T>,
): VersionedView<T> {
  const hub = {
    version,
    // Whoever uses the view with objects of the kind gets such objects.
    codec: codec as unknown as Codec<ApiObject>,
    enabledByDefault: true,
    setDefaults() {},
    conversion: { hub: true } as const,
  };
  const definition = defineResource<T>({
    group,
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: true,
    versions: [hub],
    storage: undefined,
    strategy: strategy<T>(),
    selectableFields: noSelectableFields,
  });
  return createVersionedView(definition, hub);
}
