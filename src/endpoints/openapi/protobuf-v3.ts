import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { encodeMessage } from "./protobuf-encoder.js";
import {
  choice,
  double,
  field,
  flag,
  integer,
  json,
  type MessageShape,
  message,
  named,
  repeated,
  type Shape,
  text,
  within,
} from "./protobuf-shape.js";

/** An OpenAPI 3.0 document in the layout of `openapi.v3.Document` (google/gnostic, openapiv3/OpenAPIv3.proto). */
export function encodeDocumentV3(document: JsonObject): Promise<Uint8Array> {
  return encodeMessage(document, documentShape);
}

const referenceShape: Shape = message(() => ({ fields: { $ref: field(1, text) } }));

/** A schema, or a reference to one. */
const schemaShape: Shape = choice((value) =>
  isJsonObject(value) && value.$ref !== undefined && typeof value.$ref === "string"
    ? within(2, referenceShape)
    : within(
        1,
        message(() => schemaFields),
      ),
);

const schemaFields: MessageShape = {
  fields: {
    nullable: field(1, flag),
    readOnly: field(3, flag),
    writeOnly: field(4, flag),
    example: field(7, json),
    deprecated: field(8, flag),
    title: field(9, text),
    multipleOf: field(10, double),
    maximum: field(11, double),
    exclusiveMaximum: field(12, flag),
    minimum: field(13, double),
    exclusiveMinimum: field(14, flag),
    maxLength: field(15, integer),
    minLength: field(16, integer),
    pattern: field(17, text),
    maxItems: field(18, integer),
    minItems: field(19, integer),
    uniqueItems: field(20, flag),
    maxProperties: field(21, integer),
    minProperties: field(22, integer),
    required: field(23, repeated(text)),
    enum: field(24, repeated(json)),
    type: field(25, text),
    allOf: field(26, repeated(schemaShape)),
    oneOf: field(27, repeated(schemaShape)),
    anyOf: field(28, repeated(schemaShape)),
    not: field(
      29,
      message(() => schemaFields),
    ),
    items: field(30, within(1, schemaShape)),
    properties: field(31, named(schemaShape)),
    additionalProperties: field(
      32,
      choice((value) => within(typeof value === "boolean" ? 2 : 1, choice(schemaOrFlag))),
    ),
    default: field(33, choice(defaultShape)),
    description: field(34, text),
    format: field(35, text),
  },
  extensions: 36,
};

/** A boolean alternative is written even when it is false. */
function schemaOrFlag(value: JsonValue): Shape {
  if (typeof value !== "boolean") return schemaShape;
  return value ? flag : integer;
}

/** Only scalars can be encoded; the layout has no lists and objects here. */
function defaultShape(value: JsonValue): Shape {
  switch (typeof value) {
    case "number":
      return within(1, double);
    case "boolean":
      return within(2, choice(schemaOrFlag));
    case "string":
      return within(3, text);
    default:
      return repeated(text);
  }
}

const parameterFields: MessageShape = {
  fields: {
    name: field(1, text),
    in: field(2, text),
    description: field(3, text),
    required: field(4, flag),
    schema: field(10, schemaShape),
  },
};

const parameterShape: Shape = within(
  1,
  message(() => parameterFields),
);

const contentShape: Shape = named(message(() => ({ fields: { schema: field(1, schemaShape) } })));

const requestBodyShape: Shape = within(
  1,
  message(() => ({
    fields: {
      description: field(1, text),
      content: field(2, contentShape),
      required: field(3, flag),
    },
  })),
);

const responseShape: Shape = within(
  1,
  message(() => ({ fields: { description: field(1, text), content: field(3, contentShape) } })),
);

const responsesShape: Shape = message(() => ({ fields: {}, others: field(2, responseShape) }));

const operationShape: Shape = message(() => operationFields);

const operationFields: MessageShape = {
  fields: {
    tags: field(1, repeated(text)),
    summary: field(2, text),
    description: field(3, text),
    operationId: field(5, text),
    parameters: field(6, repeated(parameterShape)),
    requestBody: field(7, requestBodyShape),
    responses: field(8, responsesShape),
    deprecated: field(10, flag),
  },
  extensions: 13,
};

const pathItemShape: Shape = message(() => pathItemFields);

const pathItemFields: MessageShape = {
  fields: {
    get: field(4, operationShape),
    put: field(5, operationShape),
    post: field(6, operationShape),
    delete: field(7, operationShape),
    options: field(8, operationShape),
    head: field(9, operationShape),
    patch: field(10, operationShape),
    parameters: field(13, repeated(parameterShape)),
  },
  extensions: 14,
};

const pathsShape: Shape = message(() => ({ fields: {}, others: field(1, pathItemShape) }));

const infoShape: Shape = message(() => ({
  fields: { title: field(1, text), description: field(2, text), version: field(6, text) },
}));

const securitySchemeShape: Shape = within(
  1,
  message(() => ({
    fields: {
      type: field(1, text),
      description: field(2, text),
      name: field(3, text),
      in: field(4, text),
    },
  })),
);

const componentsShape: Shape = message(() => ({
  fields: { schemas: field(1, named(schemaShape)), securitySchemes: field(6, named(securitySchemeShape)) },
}));

const stringArrayShape: Shape = message(() => ({ fields: {} }));

const documentShape: Shape = message(() => ({
  fields: {
    openapi: field(1, text),
    info: field(2, infoShape),
    paths: field(4, pathsShape),
    components: field(5, componentsShape),
    security: field(6, repeated(named(stringArrayShape))),
  },
}));
