import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { cutMembers } from "../../../apimachinery/json/json-blank.js";
import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { StoredObject } from "../../../storage/object-store.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from "../../gen/apiextensions-v1.js";

/** The part of each definition that stays in memory: everything but its schemas. */
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
  /** Whether its schemas may be non-structural, which new definitions cannot be. */
  readonly preservesUnknownFields: boolean;
  /** The JSON of the member `schema` of a version; undefined for a version without one. Equal schemas have equal texts. */
  schemaText(version: string): Buffer | undefined;
  /** Decodes the schema of one version, as it is declared; undefined for a version without one. Integers may be a bigint. */
  openApiSchema(version: string): JsonObject | undefined;
  /** The definition without its schemas and its managed fields. */
  readonly outline: CustomResourceDefinition;
  /** Equal for equal specs, on every server. Computed on each call. */
  specHash(): string;
}

export function summaryOf(stored: StoredObject<ApiObject>): DefinitionSummary {
  const { body } = stored;
  // A stored definition is in canonical form and needs no decoding.
  const cuts: (readonly [start: number, end: number])[] = [];
  const text = cutMembers(body, unused, (start, end) => cuts.push([start, end]));
  const { metadata, spec, status } = JSON.parse(text) as CustomResourceDefinition;
  const withSchema = (spec.versions ?? []).filter(({ schema }) => schema !== undefined);
  // The managed fields come before them.
  const schemas = new Map(withSchema.map(({ name }, at) => [name, cuts.at(at - withSchema.length)]));
  const schemaText = (version: string): Buffer | undefined => {
    const place = schemas.get(version);
    return place && body.subarray(...place);
  };
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
    schemaText,
    openApiSchema(version) {
      const text = schemaText(version);
      if (text === undefined) return undefined;
      const schema = parseJson(text.toString());
      return isJsonObject(schema) && isJsonObject(schema.openAPIV3Schema)
        ? schema.openAPIV3Schema
        : undefined;
    },
    outline: {
      metadata: { ...metadata, managedFields: undefined, annotations: undefined },
      spec: { ...spec, versions: spec.versions?.map(({ schema: _large, ...rest }) => rest) },
      status,
    },
    specHash: () => createHash("sha256").update(specBytes(body)).digest("hex"),
  };
}

/** Skipped, because they are most of a definition. */
const unused = { metadata: { managedFields: "blank" }, spec: { versions: { schema: "blank" } } } as const;

/** The bytes from the first `spec` to the last `status`, which are the last members of an object, in this order. */
function specBytes(body: Buffer): Buffer {
  return body.subarray(body.indexOf('"spec":{'), body.lastIndexOf('"status":{'));
}

/** Whether the kind is served: its names have been accepted, and it is established or about to be. */
export function isInstalled({ acceptedNames, conditions }: DefinitionSummary): boolean {
  const established = conditions.find(({ type }) => type === "Established");
  return (
    acceptedNames.plural !== "" && (established?.status === "True" || established?.reason === "Installing")
  );
}
