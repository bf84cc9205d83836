import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiContext } from "../definition/api-context.js";
import { hub, spoke } from "../definition/define-resource.js";
import type { VersionDefinition } from "../definition/resource-definition.js";
import type { TableColumns } from "../definition/table-columns.js";

/** `Beta` is the form of v1beta1 and v1beta2, whose fields are the same. v1beta3 has the form of v1. */
export interface FlowControlVersions<T extends ApiObject, Beta extends ApiObject> {
  readonly kind: string;
  readonly v1: { setDefaults(object: T): void };
  readonly v1beta3: BetaForm<T, T>;
  readonly v1beta2: BetaForm<T, Beta> & {
    /** Default: those of the kind. */
    readonly columns?: TableColumns<Beta>;
  };
}

export interface BetaForm<T extends ApiObject, Beta extends ApiObject> {
  setDefaults(object: Beta): void;
  toHub(object: Beta): T;
  fromHub(object: T): Beta;
}

export function flowControlVersions<T extends ApiObject, Beta extends ApiObject>(
  context: ApiContext,
  { kind, v1, v1beta3, v1beta2 }: FlowControlVersions<T, Beta>,
): VersionDefinition<T>[] {
  const group = context.naming.group("flowcontrol.apiserver");
  const older = { introduced: "1.23", deprecated: "1.26", removed: "1.29" };
  const oldest = { introduced: "1.20", deprecated: "1.23", removed: "1.26" };
  const newest = { introduced: "1.26", deprecated: "1.29", removed: "1.32" };
  const replacement = { group, version: "v1beta3", kind };
  // 1.23 serves v1 for newer clients too, although Kubernetes 1.23 lacks it, but prefers the other versions.
  const isAddition = context.level === "1.23";
  const stable = hub<T>(context, {
    version: "v1",
    since: isAddition ? undefined : "1.29",
    type: `flowcontrol/v1.${kind}`,
    ...v1,
  });
  const betas = [
    spoke<T, T>(context, {
      version: "v1beta3",
      since: "1.26",
      until: "1.32",
      type: `flowcontrol/v1beta3.${kind}`,
      lifecycle: { ...newest, replacement: { group, version: "v1", kind } },
      before: { "1.29": { lifecycle: newest } },
      ...v1beta3,
    }),
    spoke<T, Beta>(context, {
      version: "v1beta2",
      until: "1.29",
      type: `flowcontrol/v1beta2.${kind}`,
      lifecycle: { ...older, replacement },
      before: { "1.26": { lifecycle: older } },
      ...v1beta2,
    }),
    spoke<T, Beta>(context, {
      version: "v1beta1",
      until: "1.26",
      type: `flowcontrol/v1beta1.${kind}`,
      lifecycle: { ...oldest, replacement: { group, version: "v1beta2", kind } },
      ...v1beta2,
    }),
  ];
  return isAddition ? [...betas, stable] : [stable, ...betas];
}

/** Where both kinds are stored. */
export const flowControlStorage = {
  version: "v1",
  before: {
    "1.30": { version: "v1beta3" },
    "1.27": { version: "v1beta2" },
    "1.26": { version: "v1beta1" },
  },
} as const;
