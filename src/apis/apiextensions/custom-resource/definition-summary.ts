import type { ApiObject } from "../../../apimachinery/meta.js";
import type { StoredObject } from "../../../storage/object-store.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from "../../gen/apiextensions-v1.js";

/** What is kept of each definition while nobody uses it: all but its schemas. */
export interface DefinitionSummary {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly conditions: readonly CustomResourceDefinitionCondition[];
  readonly finalizers: readonly string[];
  readonly isTerminating: boolean;
  /** The whole definition, read anew each time. */
  load(): CustomResourceDefinition;
}

export function summaryOf(stored: StoredObject<ApiObject>): DefinitionSummary {
  // The registry of definitions holds nothing else.
  const load = () => stored.decode() as CustomResourceDefinition;
  const { metadata, spec, status } = load();
  return {
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    generation: Number(metadata.generation ?? 0),
    group: spec.group,
    names: spec.names,
    acceptedNames: status.acceptedNames,
    conditions: status.conditions ?? [],
    finalizers: metadata.finalizers ?? [],
    isTerminating: metadata.deletionTimestamp !== undefined,
    load,
  };
}

/** Whether the kind is served: its names were accepted once, and it is or is about to be established. */
export function isInstalled({ acceptedNames, conditions }: DefinitionSummary): boolean {
  const established = conditions.find(({ type }) => type === "Established");
  return (
    acceptedNames.plural !== "" && (established?.status === "True" || established?.reason === "Installing")
  );
}
