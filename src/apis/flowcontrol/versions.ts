import type { ApiObject } from "../../apimachinery/meta.js";
import type { ApiContext } from "../definition/api-context.js";
import { hub, spoke } from "../definition/define-resource.js";
import type { VersionDefinition } from "../definition/resource-definition.js";

/** Both versions of the group have the same fields. */
export function flowControlVersions<T extends ApiObject>(
  context: ApiContext,
  kind: string,
  setDefaults: (object: T) => void,
): VersionDefinition<T>[] {
  const group = context.naming.group("flowcontrol.apiserver");
  return [
    hub<T>(context, {
      version: "v1beta2",
      type: `flowcontrol/v1beta2.${kind}`,
      setDefaults,
      lifecycle: { introduced: "1.23", deprecated: "1.26", removed: "1.29" },
    }),
    spoke<T, T>(context, {
      version: "v1beta1",
      type: `flowcontrol/v1beta1.${kind}`,
      setDefaults,
      lifecycle: {
        introduced: "1.20",
        deprecated: "1.23",
        removed: "1.26",
        replacement: { group, version: "v1beta2", kind },
      },
      toHub: (object) => object,
      fromHub: (object) => object,
    }),
  ];
}
