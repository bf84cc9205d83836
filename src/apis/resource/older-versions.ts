import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiContext } from "../definition/api-context.js";
import { hub, spoke } from "../definition/define-resource.js";
import type { StorageDefinition, VersionDefinition } from "../definition/resource-definition.js";

interface Conversion<T extends ApiObject, V extends ApiObject> {
  toHub(object: V): T;
  fromHub(hub: T): V;
  setDefaults?(object: V): void;
}

interface Versions<T extends ApiObject, B extends ApiObject, A extends ApiObject> {
  readonly kind: string;
  /** The defaults of v1, and of v1beta2, which has the same fields. */
  setDefaults(object: T): void;
  readonly v1beta1: Conversion<T, B>;
  readonly v1alpha3: Conversion<T, A>;
}

/**
 * The versions of a kind that began in v1alpha3 and became v1. The hub is v1 at every level. They are served even with the feature gate
 * off, so that stored objects can be deleted.
 */
export function versionsOf<T extends ApiObject, B extends ApiObject, A extends ApiObject>(
  context: ApiContext,
  { kind, setDefaults, v1beta1, v1alpha3 }: Versions<T, B, A>,
): readonly VersionDefinition<T>[] {
  const group = context.naming.group("resource");
  const older = { enabledByDefault: false };
  return [
    hub<T>(context, { version: "v1", since: "1.34", type: `resource/v1.${kind}`, setDefaults }),
    spoke<T, T>(context, {
      ...older,
      version: "v1beta2",
      since: "1.33",
      type: `resource/v1beta2.${kind}`,
      lifecycle: { introduced: "1.33", deprecated: "1.36", removed: "1.39" },
      setDefaults,
      toHub: (object) => object,
      fromHub: (object) => object,
    }),
    spoke<T, B>(context, {
      ...older,
      ...v1beta1,
      version: "v1beta1",
      since: "1.32",
      type: `resource/v1beta1.${kind}`,
      lifecycle: { introduced: "1.32", deprecated: "1.35", removed: "1.38" },
    }),
    spoke<T, A>(context, {
      ...older,
      ...v1alpha3,
      version: "v1alpha3",
      since: "1.31",
      until: "1.34",
      type: `resource/v1alpha3.${kind}`,
      lifecycle: {
        introduced: "1.31",
        deprecated: "1.34",
        removed: "1.37",
        replacement: { group, version: "v1beta1", kind },
      },
    }),
  ];
}

/** A version is stored once the level before has it too; only 1.32 stores its new version at once. */
export function storageOf(resource: string): StorageDefinition {
  return {
    version: "v1",
    before: {
      "1.35": { version: "v1beta2" },
      "1.34": { version: "v1beta1" },
      "1.32": { version: "v1alpha3" },
    },
    prefix: `/${resource}`,
  };
}
