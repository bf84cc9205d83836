import type { Buffer } from "node:buffer";
import { parseJson } from "../../../apimachinery/json-parse.js";
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
  /** When its deletion began. */
  readonly deletionTimestamp: string | undefined;
  /** Whether it may be one whose schemas have no structure: all others are checked when they are written. */
  readonly preservesUnknownFields: boolean;
  /** The whole definition, read anew each time. Whole numbers in schemas may be a bigint. */
  load(): CustomResourceDefinition;
  /** The same, but numbers in schemas may have lost digits: in a tenth of the time, for everything but the schemas. */
  loadOutline(): CustomResourceDefinition;
}

export function summaryOf(stored: StoredObject<ApiObject>): DefinitionSummary {
  const { body } = stored;
  // A stored definition is JSON in the form of its type, which needs no decoding: most of it are schemas that nobody looks at now.
  const loadOutline = () => JSON.parse(jsonText(body)) as CustomResourceDefinition;
  const { metadata, spec, status } = loadOutline();
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
    deletionTimestamp: metadata.deletionTimestamp,
    preservesUnknownFields: spec.preserveUnknownFields === true,
    load: () => parseJson(jsonText(body)) as unknown as CustomResourceDefinition, // see above
    loadOutline,
  };
}

function jsonText(body: Buffer): string {
  return `{${body.toString("utf8")}`;
}

/** Whether the kind is served: its names were accepted once, and it is or is about to be established. */
export function isInstalled({ acceptedNames, conditions }: DefinitionSummary): boolean {
  const established = conditions.find(({ type }) => type === "Established");
  return (
    acceptedNames.plural !== "" && (established?.status === "True" || established?.reason === "Installing")
  );
}
