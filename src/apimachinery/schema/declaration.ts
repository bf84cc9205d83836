/**
 * How a type is declared: one object per message, fields in JSON output order. Everything the server knows
 * of a type follows from this (`message-schema.ts` links it, `codec.ts` compiles it).
 */

export type ScalarType = "string" | "bool" | "int32" | "int64" | "double" | "bytes";

/** Types with an encoding of their own; the byte layouts are in `special/`. */
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

/** What validation asks of a field's value once defaults are set, in the order in which it is checked. */
export interface ValueRules {
  /** It must be set: neither absent nor "" nor an empty list. A text is the reason that the error gives. */
  readonly required?: true | string;
  /**
   * The values that are supported (of a list: of its items), as errors list them: those of `enum` in its order. Unless given, errors list
   * those of `enum` in alphabetical order.
   */
  readonly supported?: readonly string[] | "enum";
  /** Of a number. Without `max`, 0 or 1. */
  readonly min?: number;
  readonly max?: number;
  /** Of a list. More are not looked at. */
  readonly maxItems?: number;
  /** No update may change it. */
  readonly immutable?: true;
}

export interface FieldDeclaration {
  /** Protobuf field number. */
  readonly number: number;
  /** A scalar, a special type, `any`, or the name of a message such as `core/v1.Container`. */
  readonly type: string;
  readonly list?: true;
  /** A map from string to `type`. */
  readonly map?: true;
  /** Absent is told apart from the zero value. */
  readonly pointer?: true;
  /** JSON leaves out zero scalars, empty lists and maps, absent pointers. */
  readonly omitempty?: true;
  readonly optional?: true;
  readonly required?: true;
  readonly nullable?: true;
  /** The message's fields sit in the parent JSON object; in protobuf it is a nested message. */
  readonly inline?: true;
  readonly patchStrategy?: "merge" | "replace" | "retainKeys" | "merge,retainKeys";
  readonly patchMergeKey?: string;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly structType?: "atomic" | "granular";
  readonly default?: string | number | boolean;
  /** The closed list of values (of the items of a list, of the values of a map). */
  readonly enum?: readonly string[];
  /** What makes a value invalid by itself; rules across fields are code, beside the kind. */
  readonly rules?: ValueRules;
  /** The feature gate that keeps the field from being stored while it is off. */
  readonly featureGate?: string;
  /** Names the one member of a `union` that is set. */
  readonly unionDiscriminator?: true;
  /**
   * What the messages of this field say they are. They say it in JSON whatever came in, and not in protobuf:
   * Kubernetes sets it in conversion (pkg/apis/apps/v1/conversion.go).
   */
  readonly embeddedType?: { readonly kind: string; readonly apiVersion: string };
  /** The profile may rename the field (`SchemaRegistryOptions.fieldName`); the name here is the neutral one. */
  readonly profileNamed?: true;
  /**
   * What type errors call the element, where it is a named scalar: `v1.PullPolicy` instead of `string`. One that belongs to another package is
   * written with its group, `core/v1.Protocol`, which errors leave out.
   */
  readonly elementName?: string;
  /** What type errors call the whole list or map, where it is a named type: `v1.ResourceList`. */
  readonly collectionName?: string;
}

export interface MessageDeclaration {
  readonly fields: { readonly [jsonName: string]: FieldDeclaration };
  /** Set when the type carries kind and apiVersion: the kind's name. */
  readonly kind?: string;
  readonly structType?: "atomic" | "granular";
  /** At most one of the fields besides the discriminator is set. */
  readonly union?: true;
  /** JSON only: has no protobuf form. */
  readonly protobuf?: false;
}

/** All types of one group and version, declared by themselves or as the difference from another version (`sibling-version.ts`), made when first asked for: `core/v1` → `Container`. */
export interface TypePackage {
  /** The prefix of the names, as `core/v1` in `core/v1.Container`; free of vendor words. */
  readonly name: string;
  readonly declare: () => { readonly [typeName: string]: MessageDeclaration };
}
