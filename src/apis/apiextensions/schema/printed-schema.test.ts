import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { printItems, printSchema } from "./printed-schema.js";

/** A schema of which only the type is given, as kube-apiserver 1.23 prints it. */
function ofType(type: string): string {
  return [
    `apiextensions.JSONSchemaProps{ID:"", Schema:"", Ref:(*string)(nil), Description:"", Type:"${type}", `,
    `Nullable:false, Format:"", Title:"", Default:(*apiextensions.JSON)(nil), Maximum:(*float64)(nil), `,
    `ExclusiveMaximum:false, Minimum:(*float64)(nil), ExclusiveMinimum:false, MaxLength:(*int64)(nil), `,
    `MinLength:(*int64)(nil), Pattern:"", MaxItems:(*int64)(nil), MinItems:(*int64)(nil), UniqueItems:false, `,
    `MultipleOf:(*float64)(nil), Enum:[]apiextensions.JSON(nil), MaxProperties:(*int64)(nil), `,
    `MinProperties:(*int64)(nil), Required:[]string(nil), Items:(*apiextensions.JSONSchemaPropsOrArray)(nil), `,
    `AllOf:[]apiextensions.JSONSchemaProps(nil), OneOf:[]apiextensions.JSONSchemaProps(nil), `,
    `AnyOf:[]apiextensions.JSONSchemaProps(nil), Not:(*apiextensions.JSONSchemaProps)(nil), `,
    `Properties:map[string]apiextensions.JSONSchemaProps(nil), `,
    `AdditionalProperties:(*apiextensions.JSONSchemaPropsOrBool)(nil), `,
    `PatternProperties:map[string]apiextensions.JSONSchemaProps(nil), `,
    `Dependencies:apiextensions.JSONSchemaDependencies(nil), `,
    `AdditionalItems:(*apiextensions.JSONSchemaPropsOrBool)(nil), `,
    `Definitions:apiextensions.JSONSchemaDefinitions(nil), `,
    `ExternalDocs:(*apiextensions.ExternalDocumentation)(nil), Example:(*apiextensions.JSON)(nil), `,
    `XPreserveUnknownFields:(*bool)(nil), XEmbeddedResource:false, XIntOrString:false, XListMapKeys:[]string(nil), `,
    `XListType:(*string)(nil), XMapType:(*string)(nil), XValidations:apiextensions.ValidationRules(nil)}`,
  ].join("");
}

test("every field of a schema is printed as Kubernetes prints it", () => {
  const schema = {
    type: "object",
    title: "t",
    description: 'd"',
    nullable: true,
    format: "f",
    default: { a: 1 },
    maximum: 2,
    exclusiveMaximum: true,
    minLength: 1,
    enum: [1, "a", null, true, { b: [1.5, null] }],
    required: ["z", "y"],
    properties: { b: { type: "string" }, a: {} },
    dependencies: { p: ["q"], o: { type: "string" } },
    definitions: { d: {} },
    patternProperties: { x: {} },
    not: {},
    anyOf: [{}],
    additionalProperties: true,
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-list-map-keys": ["k"],
    "x-kubernetes-list-type": "map",
    "x-kubernetes-map-type": "atomic",
    "x-kubernetes-validations": [{ rule: "true", message: "m" }],
    externalDocs: { url: "u" },
    example: 5,
    $ref: "r",
    id: "i",
    $schema: "s",
  };
  // Printed by kube-apiserver 1.23, with another address.
  const empty = ofType("");
  const text = [
    `apiextensions.JSONSchemaPropsOrArray{Schema:(*apiextensions.JSONSchemaProps)(nil), `,
    `JSONSchemas:[]apiextensions.JSONSchemaProps{apiextensions.JSONSchemaProps{ID:"i", Schema:"s", `,
    `Ref:(*string)(0xc000000000), Description:"d\\"", Type:"object", Nullable:true, Format:"f", Title:"t", `,
    `Default:(*apiextensions.JSON)(0xc000000000), Maximum:(*float64)(0xc000000000), ExclusiveMaximum:true, `,
    `Minimum:(*float64)(nil), ExclusiveMinimum:false, MaxLength:(*int64)(nil), MinLength:(*int64)(0xc000000000), `,
    `Pattern:"", MaxItems:(*int64)(nil), MinItems:(*int64)(nil), UniqueItems:false, MultipleOf:(*float64)(nil), `,
    `Enum:[]apiextensions.JSON{1, "a", apiextensions.JSON(nil), true, map[string]interface {}{"b":[]interface `,
    `{}{1.5, interface {}(nil)}}}, MaxProperties:(*int64)(nil), MinProperties:(*int64)(nil), `,
    `Required:[]string{"z", "y"}, Items:(*apiextensions.JSONSchemaPropsOrArray)(nil), `,
    `AllOf:[]apiextensions.JSONSchemaProps(nil), OneOf:[]apiextensions.JSONSchemaProps(nil), `,
    `AnyOf:[]apiextensions.JSONSchemaProps{${empty}}, Not:(*apiextensions.JSONSchemaProps)(0xc000000000), `,
    `Properties:map[string]apiextensions.JSONSchemaProps{"a":${empty}, "b":${ofType("string")}}, `,
    `AdditionalProperties:(*apiextensions.JSONSchemaPropsOrBool)(0xc000000000), `,
    `PatternProperties:map[string]apiextensions.JSONSchemaProps{"x":${empty}}, `,
    `Dependencies:apiextensions.JSONSchemaDependencies{"o":apiextensions.JSONSchemaPropsOrStringArray{Schema:(*apiextensions.JSONSchemaProps)(0xc000000000), `,
    `Property:[]string(nil)}, `,
    `"p":apiextensions.JSONSchemaPropsOrStringArray{Schema:(*apiextensions.JSONSchemaProps)(nil), `,
    `Property:[]string{"q"}}}, AdditionalItems:(*apiextensions.JSONSchemaPropsOrBool)(nil), `,
    `Definitions:apiextensions.JSONSchemaDefinitions{"d":${empty}}, `,
    `ExternalDocs:(*apiextensions.ExternalDocumentation)(0xc000000000), `,
    `Example:(*apiextensions.JSON)(0xc000000000), XPreserveUnknownFields:(*bool)(0xc000000000), `,
    `XEmbeddedResource:false, XIntOrString:false, XListMapKeys:[]string{"k"}, XListType:(*string)(0xc000000000), `,
    `XMapType:(*string)(0xc000000000), `,
    `XValidations:apiextensions.ValidationRules{apiextensions.ValidationRule{Rule:"true", Message:"m"}}}, `,
    `${empty}}}`,
  ].join("");
  expect(printItems([schema, {}], "x-kubernetes-").text).toBe(text);
});

test("since 1.34 a schema is printed as JSON of the same fields", () => {
  const schema = {
    type: "object",
    pattern: "<",
    maximum: 1.5,
    default: { b: 1, a: null },
    enum: ["a", null],
    required: [],
    items: { minLength: 1 },
    properties: { b: {} },
    additionalProperties: true,
    dependencies: { p: ["q"] },
    externalDocs: { url: "u" },
    "x-kubernetes-validations": [{ rule: "true", reason: "FieldValueInvalid" }],
  };
  const text = withErrorTextsOf(34, () => printSchema(schema, "x-kubernetes-").json) ?? "";
  expect(JSON.parse(text)).toMatchObject({
    ID: "",
    Schema: "",
    Ref: null,
    Type: "object",
    Nullable: false,
    Pattern: "<",
    Default: { b: 1, a: null },
    Maximum: 1.5,
    Minimum: null,
    Enum: ["a", null],
    Required: [],
    Items: { Schema: { MinLength: 1, Properties: null }, JSONSchemas: null },
    AllOf: null,
    Properties: { b: { ID: "", XListMapKeys: null } },
    AdditionalProperties: { Allows: true, Schema: null },
    Dependencies: { p: { Schema: null, Property: ["q"] } },
    ExternalDocs: { Description: "", URL: "u" },
    XPreserveUnknownFields: null,
    XEmbeddedResource: false,
    XValidations: [
      {
        Rule: "true",
        Message: "",
        MessageExpression: "",
        Reason: "FieldValueInvalid",
        FieldPath: "",
        OptionalOldSelf: null,
      },
    ],
  });
  expect(text).toMatch(/^\{"ID":"","Schema":"","Ref":null,.*"Pattern":"\\u003c"/);
});

test("a large schema is printed as far as it is shown", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: "string" }]),
  );
  const printed = printSchema({ type: "object", properties }, "x-kubernetes-");
  expect(printed.text.length).toBeLessThan(80_000);
  expect(printed.json?.length).toBeLessThan(80_000);
});

test.each([
  [26, ""],
  [27, ', MessageExpression:"e"'],
  [
    28,
    ', MessageExpression:"e", Reason:(*apiextensions.FieldValueErrorReason)(0xc000000000), FieldPath:".a"',
  ],
  [
    29,
    ', MessageExpression:"e", Reason:(*apiextensions.FieldValueErrorReason)(0xc000000000), FieldPath:".a", ' +
      "OptionalOldSelf:(*bool)(0xc000000000)",
  ],
])("the rules of a schema are printed with the fields of 1.%i", (minor, more) => {
  const full = {
    rule: "true",
    message: "m",
    messageExpression: "e",
    reason: "FieldValueInvalid",
    fieldPath: ".a",
    optionalOldSelf: true,
  };
  const schema = { "x-kubernetes-validations": [full] };
  const text = withErrorTextsOf(minor, () => printSchema(schema, "x-kubernetes-").text);
  const rules = text.slice(text.indexOf("XValidations:"));
  expect(rules).toBe(
    `XValidations:apiextensions.ValidationRules{apiextensions.ValidationRule{Rule:"true", Message:"m"${more}}}}`,
  );
});
