import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiContext } from "../definition/api-context.js";
import { hub, spoke } from "../definition/define-resource.js";
import type { VersionDefinition } from "../definition/resource-definition.js";
import type { TableColumns } from "../definition/table-columns.js";

/** `Beta` is the form of v1beta1 and v1beta2, whose fields are the same. */
export interface FlowControlVersions<T extends ApiObject, Beta extends ApiObject> {
  readonly kind: string;
  setDefaults(object: T): void;
  setBetaDefaults(object: Beta): void;
  fromBeta(object: Beta): T;
  toBeta(object: T): Beta;
  /** Default: those of the kind. */
  readonly betaColumns?: TableColumns<Beta>;
}

export function flowControlVersions<T extends ApiObject, Beta extends ApiObject>(
  context: ApiContext,
  { kind, setDefaults, setBetaDefaults, fromBeta, toBeta, betaColumns }: FlowControlVersions<T, Beta>,
): VersionDefinition<T>[] {
  const group = context.naming.group("flowcontrol.apiserver");
  return [
    spoke<T, Beta>(context, {
      version: "v1beta2",
      until: "1.29",
      type: `flowcontrol/v1beta2.${kind}`,
      setDefaults: setBetaDefaults,
      lifecycle: { introduced: "1.23", deprecated: "1.26", removed: "1.29" },
      columns: betaColumns,
      toHub: fromBeta,
      fromHub: toBeta,
    }),
    spoke<T, Beta>(context, {
      version: "v1beta1",
      until: "1.26",
      type: `flowcontrol/v1beta1.${kind}`,
      setDefaults: setBetaDefaults,
      lifecycle: {
        introduced: "1.20",
        deprecated: "1.23",
        removed: "1.26",
        replacement: { group, version: "v1beta2", kind },
      },
      columns: betaColumns,
      toHub: fromBeta,
      fromHub: toBeta,
    }),
    hub<T>(context, { version: "v1", type: `flowcontrol/v1.${kind}`, setDefaults }),
  ];
}
