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

/** A Swagger 2.0 document in the layout of `openapi.v2.Document` (google/gnostic, openapiv2/OpenAPIv2.proto). */
export function encodeDocumentV2(document: JsonObject): Promise<Uint8Array> {
  return encodeMessage(document, documentShape);
}

const schemaShape: Shape = message(() => schemaFields);

const schemaFields: MessageShape = {
  fields: {
    $ref: field(1, text),
    format: field(2, text),
    title: field(3, text),
    description: field(4, text),
    default: field(5, json),
    multipleOf: field(6, double),
    maximum: field(7, double),
    exclusiveMaximum: field(8, flag),
    minimum: field(9, double),
    exclusiveMinimum: field(10, flag),
    maxLength: field(11, integer),
    minLength: field(12, integer),
    pattern: field(13, text),
    maxItems: field(14, integer),
    minItems: field(15, integer),
    uniqueItems: field(16, flag),
    maxProperties: field(17, integer),
    minProperties: field(18, integer),
    required: field(19, repeated(text)),
    enum: field(20, repeated(json)),
    additionalProperties: field(
      21,
      choice((value) => (typeof value === "boolean" ? boolWithin(2) : within(1, schemaShape))),
    ),
    type: field(22, within(1, text)),
    items: field(23, within(1, schemaShape)),
    allOf: field(24, repeated(schemaShape)),
    properties: field(25, named(schemaShape)),
    discriminator: field(26, text),
    readOnly: field(27, flag),
    example: field(30, json),
  },
  extensions: 31,
};

/** A boolean alternative is written even when it is false. */
function boolWithin(number: number): Shape {
  return within(
    number,
    choice((value) => (value === true ? flag : integer)),
  );
}

const queryFields: MessageShape = {
  fields: {
    required: field(1, flag),
    in: field(2, text),
    description: field(3, text),
    name: field(4, text),
    type: field(6, text),
    format: field(7, text),
    uniqueItems: field(20, flag),
  },
};

const pathFields: MessageShape = {
  fields: {
    required: field(1, flag),
    in: field(2, text),
    description: field(3, text),
    name: field(4, text),
    type: field(5, text),
    format: field(6, text),
    uniqueItems: field(19, flag),
  },
};

const bodyFields: MessageShape = {
  fields: {
    description: field(1, text),
    name: field(2, text),
    in: field(3, text),
    required: field(4, flag),
    schema: field(5, schemaShape),
  },
};

const referenceShape: Shape = message(() => ({ fields: { $ref: field(1, text) } }));

/** An item is a parameter, of one kind or another, or refers to one. */
const parameterShape: Shape = choice((value) =>
  isJsonObject(value) && value.$ref !== undefined
    ? within(2, referenceShape)
    : within(1, choice(parameterKind)),
);

function parameterKind(value: JsonValue): Shape {
  const place = isJsonObject(value) ? value.in : undefined;
  if (place === "body")
    return within(
      1,
      message(() => bodyFields),
    );
  const nonBody =
    place === "path"
      ? within(
          4,
          message(() => pathFields),
        )
      : within(
          3,
          message(() => queryFields),
        );
  return within(2, nonBody);
}

const responseShape: Shape = message(() => ({
  fields: { description: field(1, text), schema: field(2, within(1, schemaShape)) },
}));

const operationShape: Shape = message(() => operationFields);

const operationFields: MessageShape = {
  fields: {
    tags: field(1, repeated(text)),
    summary: field(2, text),
    description: field(3, text),
    operationId: field(5, text),
    produces: field(6, repeated(text)),
    consumes: field(7, repeated(text)),
    parameters: field(8, repeated(parameterShape)),
    responses: field(9, named(within(1, responseShape))),
    schemes: field(10, repeated(text)),
    deprecated: field(11, flag),
  },
  extensions: 13,
};

const pathItemShape: Shape = message(() => pathItemFields);

const pathItemFields: MessageShape = {
  fields: {
    get: field(2, operationShape),
    put: field(3, operationShape),
    post: field(4, operationShape),
    delete: field(5, operationShape),
    options: field(6, operationShape),
    head: field(7, operationShape),
    patch: field(8, operationShape),
    parameters: field(9, repeated(parameterShape)),
  },
  extensions: 10,
};

const pathsShape: Shape = message(() => ({ fields: {}, others: field(2, pathItemShape) }));

const infoShape: Shape = message(() => ({
  fields: { title: field(1, text), version: field(2, text), description: field(3, text) },
}));

const apiKeyShape: Shape = message(() => ({
  fields: {
    type: field(1, text),
    name: field(2, text),
    in: field(3, text),
    description: field(4, text),
  },
}));

const stringArrayShape: Shape = message(() => ({ fields: {} }));

const documentShape: Shape = message(() => ({
  fields: {
    swagger: field(1, text),
    info: field(2, infoShape),
    paths: field(8, pathsShape),
    definitions: field(9, named(schemaShape)),
    parameters: field(10, named(choice(parameterKind))),
    security: field(12, repeated(named(stringArrayShape))),
    securityDefinitions: field(13, named(within(2, apiKeyShape))),
  },
}));
