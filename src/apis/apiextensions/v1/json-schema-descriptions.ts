import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const unsupported = "Not supported: must be left out.";

export const jsonSchemaDescriptions: TypeDescriptions = {
  JSONSchemaProps: {
    about: "A schema of values in the manner of OpenAPI 3.0. Not all of JSON Schema is supported.",
    fields: {
      $ref: unsupported,
      $schema: "Which dialect of JSON Schema it is in; has no effect.",
      additionalItems: unsupported,
      additionalProperties:
        "The schema of values under any other names, or true for any; excludes properties.",
      allOf: "Schemas that a value must all match; they may not name types.",
      anyOf: "Schemas of which a value must match at least one; they may not name types.",
      default: "The value of an absent field, filled in on reads and writes.",
      definitions: unsupported,
      dependencies: unsupported,
      description: "What the value is for; shown in documentation.",
      enum: "The values allowed. Empty: any.",
      example: "An example for documentation.",
      exclusiveMaximum: "Whether a number has to be below maximum, instead of at most that. Default: false.",
      exclusiveMinimum: "Whether a number has to be above minimum, instead of at least that. Default: false.",
      externalDocs: "Where to read more.",
      format: "Shape of a value, such as date-time, int32, byte or uuid; unknown ones are ignored.",
      id: unsupported,
      items: "The schema of a list's items; required for the type array. A list of schemas is not supported.",
      maxItems: "Most items of a list.",
      maxLength: "Most characters of a text.",
      maxProperties: "Most fields of an object.",
      maximum: "The largest number allowed.",
      minItems: "Fewest items of a list.",
      minLength: "Fewest characters of a text.",
      minProperties: "Fewest fields of an object.",
      minimum: "The smallest number allowed.",
      multipleOf: "A number that the value has to be a whole multiple of.",
      not: "A schema that a value must not match; it may not name types.",
      nullable:
        "Whether null is allowed too; not at the root. Default: false; a null then gives way to a default.",
      oneOf: "Schemas of which a value must match exactly one; they may not name types.",
      pattern: "A regular expression, in the syntax of RE2, that some part of a text must match.",
      patternProperties: unsupported,
      properties: "The schemas of an object's fields, by name; excludes additionalProperties.",
      required: "Names of fields that must be there.",
      title: "A short heading for documentation.",
      type: "Kind of value: array, boolean, integer, number, object or string. Required, unless an extension allows any.",
      uniqueItems: "Must be false; declare the list's type as set instead.",
      "x-orch-embedded-resource":
        "Whether the value is an object of its own, with apiVersion, kind and metadata, which are checked. Default: false.",
      "x-orch-int-or-string":
        "Whether the value is an integer or a text; then type is left out. Default: false.",
      "x-orch-list-map-keys": "Fields that together identify an item of a list of the list type map.",
      "x-orch-list-type":
        "How a list is merged: atomic as a whole, set by value, map by keys. Default: atomic.",
      "x-orch-map-type":
        "How an object is merged: granular by field, or atomic as a whole. Default: granular.",
      "x-orch-preserve-unknown-fields":
        "Keeps fields that the schema does not know, where they are dropped otherwise. True or left out.",
      "x-orch-validations":
        "Rules that values must obey, as expressions; needs the feature gate CustomResourceValidationExpressions.",
    },
  },
  ValidationRule: {
    about: "A condition on a value, as an expression.",
    fields: {
      fieldPath:
        "The field below the value that is at fault, as in .spec.replicas. Default: the value itself.",
      message: "What to say when the rule is broken; one line. Required if the rule has several.",
      messageExpression: "A CEL expression that makes the text to say; the message stands in when it fails.",
      optionalOldSelf:
        "Whether the rule also holds where there is no former value; oldSelf is an optional then.",
      reason:
        "Machine-readable reason of the error: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.",
      rule: "A CEL expression, true of valid values; self is the value that the schema is for.",
    },
  },
  ExternalDocumentation: {
    about: "A link to further documentation.",
    fields: {
      description: "What is found there.",
      url: "Address of the documentation.",
    },
  },
};
