import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { ApiContext } from "../../definition/api-context.js";
import { hub, spoke } from "../../definition/define-resource.js";
import type { StorageDefinition, VersionDefinition } from "../../definition/resource-definition.js";

/**
 * Claims of the levels before 1.31, which have nothing in common with those of today but their names. They are served even with the
 * feature gate off, so that stored objects can be deleted.
 */
export const onRequest = { enabledByDefault: false } as const;

interface Conversion<T extends ApiObject, V extends ApiObject> {
  toHub(object: V): T;
  fromHub(hub: T): V;
}

/** v1alpha1, which 1.26 has, and v1alpha2, which took its place. */
export function classicVersions<T extends ApiObject, V extends ApiObject>(
  context: ApiContext,
  kind: string,
  v1alpha1: Conversion<T, V>,
  setDefaults: (object: T | V) => void = () => {},
): readonly VersionDefinition<T>[] {
  return [
    hub<T>(context, {
      ...onRequest,
      version: "v1alpha2",
      since: "1.27",
      until: "1.31",
      type: `resource/v1alpha2.${kind}`,
      setDefaults,
    }),
    spoke<T, V>(context, {
      ...onRequest,
      version: "v1alpha1",
      since: "1.26",
      until: "1.27",
      type: `resource/v1alpha1.${kind}`,
      setDefaults,
      ...v1alpha1,
    }),
  ];
}

export function classicStorage(resource: string): StorageDefinition {
  return { version: "v1alpha2", before: { "1.27": { version: "v1alpha1" } }, prefix: `/${resource}` };
}
