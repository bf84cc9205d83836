/**
 * Declarations of types: one object per message, fields in JSON output order. Everything the server knows about a type follows from them
 * (`message-schema.ts` links them, `compiled-codec.ts` compiles them).
 */

import type { ApiLevel, Before, LevelRange } from "../levels/api-level.js";
import type { FeatureGateName } from "../levels/feature-gates/feature-gates.js";

export type ScalarType = "string" | "bool" | "int32" | "int64" | "double" | "bytes";

/** Types with an encoding of their own (`json-special.ts`, `read-special.ts`, `write-special.ts`). */
export type SpecialType =
  | "Quantity"
  | "IntOrString"
  | "Time"
  | "MicroTime"
  | "Duration"
  | "RawExtension"
  | "JSON"
  | "FieldsV1"
  | "StringList"
  | "JSONSchemaPropsOrBool"
  | "JSONSchemaPropsOrArray"
  | "JSONSchemaPropsOrStringArray"
  | "Unknown";

/** The required form of a text, by Kubernetes' name of it. */
export type ValueFormat =
  | "configMapKey"
  | "descendingPath"
  | "dns1035Label"
  | "dnsLabel"
  | "dnsSubdomain"
  | "dnsSubdomainOrWildcard"
  | "filePathInVolume"
  | "httpHeaderName"
  | "labelValue"
  | "pathSegment"
  | "pathWithoutBacksteps"
  | "portName"
  | "qualifiedName"
  | "relaxedEnvVarName";

/** The detail of an error: `true` for none. With `until`, errors have no detail from this level on. */
export type Detail = true | string | { readonly until: ApiLevel; readonly detail: string };

/**
 * Rules for the value of a field after defaulting, in the order in which they are checked. A field that is absent only has to satisfy
 * `required`. The items of a list are checked one by one.
 */
export interface ValueRules {
  /** Whether a zero value counts as absent. Default: in optional fields that are no pointers. */
  readonly zeroIsAbsent?: boolean;
  /** The value must be set: not absent, zero or an empty list. */
  readonly required?: Detail;
  /** For a string that may be absent but not empty, and for the strings of a list. */
  readonly nonEmpty?: Detail;
  /** For lists. The items of a longer list are not checked. */
  readonly maxItems?: number;
  /** For lists: `*` must be the only item. The value is what errors call the items. */
  readonly loneWildcard?: string;
  /**
   * The supported values, in the order in which errors list them; "enum" means those of `enum` in declared order. Default: those of `enum`,
   * listed alphabetically.
   */
  readonly supported?: readonly string[] | "enum";
  /** For numbers. A quantity's minimum is 0. Without `max` or `range`, 0 or 1. */
  readonly min?: number;
  readonly max?: number;
  /** The detail of the errors of `min` and `max`, where it is not the usual one; a pair if they differ. */
  readonly range?: string | { readonly below: string; readonly above: string };
  /** For texts, in UTF-8. */
  readonly maxBytes?: number;
  readonly format?: ValueFormat;
  /** For lists of texts: no two items are the same. */
  readonly unique?: true;
  /** Updates may not change the value. With a string, the error is "Forbidden" with that detail. */
  readonly immutable?: true | string;
}

/** Declared for the newest level; `before` says what was different earlier. */
export interface FieldDeclaration extends FieldAttributes, LevelRange {
  readonly before?: Before<FieldAttributes>;
}

export interface FieldAttributes {
  /** Protobuf field number. */
  readonly number: number;
  /** A scalar, a special type, `any`, or the name of a message such as `core/v1.Container`. */
  readonly type: string;
  readonly list?: true;
  /** A map from string to `type`. */
  readonly map?: true;
  /** Absent and zero are distinct. */
  readonly pointer?: true;
  /** JSON leaves out zero scalars, empty lists and maps, absent pointers. */
  readonly omitempty?: true;
  /** JSON leaves out an absent structure, which is otherwise null. */
  readonly omitzero?: true;
  /** An empty list or map is decoded as such, so that validation can tell it from an absent one; it is not printed. */
  readonly keepsEmpty?: true;
  readonly optional?: true;
  /** Documents call it required, though JSON may leave it out. */
  readonly required?: true;
  readonly nullable?: true;
  /** The message's fields are part of the parent JSON object; in protobuf it is a nested message. */
  readonly inline?: true;
  readonly patchStrategy?: "merge" | "replace" | "retainKeys" | "merge,retainKeys";
  readonly patchMergeKey?: string;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly structType?: "atomic" | "granular";
  readonly default?: string | number | boolean;
  /** The values of a closed enumeration (for lists and maps: of their elements). */
  readonly enum?: readonly string[];
  /** Rules for the value alone; rules across fields are code in the kind's folder. */
  readonly rules?: ValueRules;
  /** The feature gate without which the field is not stored. */
  readonly featureGate?: FeatureGateName;
  /**
   * The field holds a template: feature gates apply to the objects created from it, not to the template's fields. With `own`, not to
   * those of the message itself.
   */
  readonly keepsGatedFields?: true | "own";
  /** The discriminator: names the member of the `union` that is set. */
  readonly unionDiscriminator?: true;
  /**
   * The type that messages of this field always state in JSON, whatever the client sent. Protobuf omits it: Kubernetes sets it in
   * conversion (pkg/apis/apps/v1/conversion.go).
   */
  readonly embeddedType?: { readonly kind: string; readonly apiVersion: string };
  /** The value of a stored object stays text until it is asked for (`deferred-member.ts`): for a large message, a pointer. */
  readonly deferred?: true;
  /** The profile may rename the field (`SchemaRegistryOptions.fieldName`); this is the neutral name. */
  readonly profileNamed?: true;
  /**
   * The Go type that errors name for the element, if it is a named scalar: `v1.PullPolicy` instead of `string`. A type of another
   * package is given with its group, `core/v1.Protocol`, which errors leave out.
   */
  readonly elementName?: string;
  /** The Go type that errors name for the whole list or map, if it is a named type: `v1.ResourceList`. */
  readonly collectionName?: string;
}

/** Declared for the newest level; its fields and `before` say what was different earlier. */
export interface MessageDeclaration extends MessageAttributes {
  readonly before?: Before<MessageAttributes>;
}

export interface MessageAttributes {
  /** Those of all levels, in JSON output order. */
  readonly fields: { readonly [jsonName: string]: FieldDeclaration };
  /** The name of the kind, if the type has kind and apiVersion. */
  readonly kind?: string;
  readonly structType?: "atomic" | "granular";
  /** At most one of the fields besides the discriminator is set. */
  readonly union?: true;
  /** The type exists in JSON only. */
  readonly protobuf?: false;
}

/**
 * All types of one group and version, declared directly or as the difference from another version (`sibling-version.ts`). Declared on
 * first use: `core/v1` → `Container`.
 */
export interface TypePackage {
  /** The prefix of type names, such as `core/v1` in `core/v1.Container`; free of vendor words. */
  readonly name: string;
  readonly declare: () => { readonly [typeName: string]: MessageDeclaration };
}
