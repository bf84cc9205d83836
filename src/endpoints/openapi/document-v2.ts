import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiOperation, ApiParameter, ApiPath, ApiResponse } from "./api-path.js";
import type { Definitions } from "./definitions.js";
import { type DocumentParts, operationExtensions, responseText } from "./document-parts.js";
import { type PathDialect, type PathItem, pathItems } from "./path-items.js";

const dialect: PathDialect = { operation: operationOf, parameter: parameterOf };

/** Path items with their names. Adds the types that they refer to to `definitions`. */
export function pathItemsV2(
  parts: DocumentParts,
  paths: Iterable<ApiPath>,
  definitions: Definitions,
): Iterable<PathItem> {
  return pathItems(dialect, parts, paths, definitions);
}

/** The document of the whole API without its paths and definitions. */
export function frameV2(parts: DocumentParts): JsonObject {
  return {
    swagger: "2.0",
    info: { title: parts.title, version: parts.version },
    securityDefinitions: {
      BearerToken: {
        description: "A bearer token.",
        type: "apiKey",
        name: "authorization",
        in: "header",
      },
    },
    security: [{ BearerToken: [] }],
  };
}

function operationOf(operation: ApiOperation, parts: DocumentParts, definitions: Definitions): JsonObject {
  const { body } = operation;
  const parameters: JsonValue[] = operation.parameters.map(parameterOf);
  if (body !== undefined) {
    const schema = definitions.ofBody(body.of);
    parameters.unshift({ name: "body", in: "body", ...(body.required && { required: true }), schema });
  }
  return {
    description: operation.description,
    ...(operation.consumes.length > 0 && { consumes: operation.consumes }),
    produces: operation.produces,
    schemes: ["https"],
    tags: operation.tags,
    operationId: operation.id,
    ...(operation.deprecated === true && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    responses: Object.fromEntries(
      operation.responses.map((response) => [String(response.code), responseOf(response, definitions)]),
    ),
    ...operationExtensions(operation, parts.naming),
  };
}

function parameterOf(parameter: ApiParameter): JsonObject {
  return {
    uniqueItems: true,
    type: parameter.type,
    description: parameter.description,
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === "path" && { required: true }),
  };
}

function responseOf(response: ApiResponse, definitions: Definitions): JsonObject {
  const { of } = response;
  const description = responseText(response.code);
  return of === undefined ? { description } : { description, schema: definitions.ofBody(of) };
}
