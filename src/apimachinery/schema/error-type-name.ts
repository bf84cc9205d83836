import type { FieldSchema, MessageSchema } from "./message-schema.js";

/** Names of types as Kubernetes' decoder prints them. */
const scalarNames = {
  string: "string",
  bool: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
  bytes: "[]uint8",
} as const;

const specialNames = {
  Quantity: "resource.Quantity",
  IntOrString: "intstr.IntOrString",
  Time: "v1.Time",
  MicroTime: "v1.MicroTime",
  Duration: "v1.Duration",
  RawExtension: "runtime.RawExtension",
  JSON: "v1.JSON",
  FieldsV1: "v1.FieldsV1",
  StringList: "[]string",
  JSONSchemaPropsOrBool: "v1.JSONSchemaPropsOrBool",
  JSONSchemaPropsOrArray: "v1.JSONSchemaPropsOrArray",
  JSONSchemaPropsOrStringArray: "v1.JSONSchemaPropsOrStringArray",
  Unknown: "runtime.Unknown",
} as const;

/** `v1.Container` for `core/v1.Container`. */
export function shortTypeName(schema: MessageSchema): string {
  return schema.name.slice(schema.name.indexOf("/") + 1);
}

export function elementTypeName(field: FieldSchema): string {
  if (field.elementName !== undefined) return field.elementName;
  switch (field.element.kind) {
    case "scalar":
      return scalarNames[field.element.scalar];
    case "special":
      return specialNames[field.element.special];
    case "message":
      return shortTypeName(field.element.message);
    case "any":
      return "interface {}";
  }
}

/** The type of the whole field: `[]v1.Container`, `map[string]string`; for a pointer the type it points to. */
export function fieldTypeName(field: FieldSchema): string {
  if (field.collectionName !== undefined) return field.collectionName;
  const element = elementTypeName(field);
  switch (field.cardinality) {
    case "one":
      return element;
    case "list":
      return `[]${element}`;
    case "map":
      return `map[string]${element}`;
  }
}
