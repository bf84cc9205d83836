import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { strategy } from "../../apis/definition/base-strategy.js";
import { defineResource, noSelectableFields } from "../../apis/definition/define-resource.js";
import type { TableColumns } from "../../apis/definition/table-columns.js";
import { createVersionedView, type VersionedView } from "../../registry/generic/versioned-view.js";

/**
 * A view of a kind that is not a resource (Scale, TokenRequest), for reading bodies, tracking fields and answering. Has a table only with
 * `columns`.
 */
export function createKindView<T extends ApiObject>(
  { group, version, kind }: GroupVersionKind,
  codec: Codec<T>,
  columns?: TableColumns<T> | undefined,
): VersionedView<T> {
  const hub = {
    version,
    // Callers pass objects of the kind, and get such objects back.
    codec: codec as unknown as Codec<ApiObject>,
    enabledByDefault: true,
    columns,
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
