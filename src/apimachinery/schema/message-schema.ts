import type { FeatureGateName } from "../levels/feature-gates/feature-gates.js";
import type { FieldDeclaration, ScalarType, SpecialType } from "./declaration.js";

/** A linked message type: references resolved, inlined fields visible beside the others. */
export interface MessageSchema {
  /** `core/v1.PodSpec`. */
  readonly name: string;
  readonly kind: string | undefined;
  /** In JSON output order; inlined messages appear as one field with `inline` set. */
  readonly fields: readonly FieldSchema[];
  /** By JSON name, including the fields of inlined messages: every field that a JSON object of this type may have. */
  readonly jsonFields: ReadonlyMap<string, FieldSchema>;
  /** By JSON name of a field of an inlined message: the type names of the inlined messages around it, outermost first. */
  readonly embeddingTypes: ReadonlyMap<string, readonly string[]>;
  readonly structType: "atomic" | "granular" | undefined;
  readonly union: boolean;
  readonly hasProtobuf: boolean;
}

export type ElementType =
  | { readonly kind: "scalar"; readonly scalar: ScalarType }
  | { readonly kind: "special"; readonly special: SpecialType }
  | {
      readonly kind: "message";
      readonly message: MessageSchema;
      /** See `FieldDeclaration`; part of the canonical form. */
      readonly embeddedType?: FieldDeclaration["embeddedType"];
    }
  /** Any JSON value, preserved as it is (custom resources with unknown fields). */
  | { readonly kind: "any" };

export interface FieldSchema {
  readonly name: string;
  readonly number: number;
  readonly cardinality: "one" | "list" | "map";
  /** Of the value, or of each item or map value. */
  readonly element: ElementType;
  readonly pointer: boolean;
  readonly omitempty: boolean;
  /** See `FieldDeclaration`. */
  readonly omitzero: boolean;
  /** See `FieldDeclaration`. */
  readonly keepsEmpty: boolean;
  readonly optional: boolean;
  /** See `FieldAttributes`. */
  readonly required: boolean;
  readonly nullable: boolean;
  readonly inline: boolean;
  /** Strategic merge patch: lists and messages. */
  readonly patchStrategies: readonly ("merge" | "replace" | "retainKeys")[];
  readonly patchMergeKey: string | undefined;
  /** Server-side apply, with the fallback from patch strategy already applied: never unset for a list. */
  readonly listType: "atomic" | "set" | "map" | undefined;
  /** As declared, without the fallback; published in OpenAPI. */
  readonly declaredListType: "atomic" | "set" | "map" | undefined;
  readonly listMapKeys: readonly string[];
  /** "atomic" for maps and messages that are replaced as a whole. */
  readonly structure: "atomic" | "granular";
  /** As declared with the field itself, without what its type says; published in OpenAPI. */
  readonly declaredStructure: "atomic" | "granular" | undefined;
  readonly default: string | number | boolean | undefined;
  readonly enum: readonly string[] | undefined;
  readonly featureGate: FeatureGateName | undefined;
  /** See `FieldDeclaration`. */
  readonly keepsGatedFields: boolean | "own";
  readonly unionDiscriminator: boolean;
  /** See `FieldDeclaration`. */
  readonly deferred: boolean;
  /** The profile decides the name. */
  readonly profileNamed: boolean;
  /** The neutral name, where the profile renames the field; otherwise equal to `name`. */
  readonly neutralName: string;
  /** Whether every level has the field. */
  readonly hasAllLevels: boolean;
  /** See `FieldDeclaration`. */
  readonly elementName: string | undefined;
  readonly collectionName: string | undefined;
}
