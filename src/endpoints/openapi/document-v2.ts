import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiOperation, ApiParameter, ApiPath, ApiResponse } from "./api-path.js";
import type { Definitions } from "./definitions.js";
import { type DocumentParts, operationExtensions, responseText } from "./document-parts.js";
import { type PathDialect, type PathItem, pathItems } from "./path-items.js";
import type { SharedParameters } from "./shared-parameters.js";

/** Path items with their names. Adds the types that they refer to to `definitions`, and the parameters that they share to `shared`. */
export function pathItemsV2(
  parts: DocumentParts,
  paths: Iterable<ApiPath>,
  definitions: Definitions,
  shared: SharedParameters,
): Iterable<PathItem> {
  const dialect: PathDialect = {
    operation: (operation) => operationOf(operation, parts, definitions, shared),
    parameter: (parameter) => parameterOf(parameter, shared),
  };
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

function operationOf(
  operation: ApiOperation,
  parts: DocumentParts,
  definitions: Definitions,
  shared: SharedParameters,
): JsonObject {
  const { body } = operation;
  const parameters: JsonValue[] = operation.parameters.map((each) => parameterOf(each, shared));
  if (body !== undefined) parameters.unshift(bodyOf(body, definitions, shared));
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

function parameterOf(parameter: ApiParameter, shared: SharedParameters): JsonObject {
  return shared.of(parameter.name, parameter, () => ({
    uniqueItems: true,
    type: parameter.type,
    description: parameter.description,
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === "path" && { required: true }),
  }));
}

/** Bodies of types that belong to no kind are shared. */
function bodyOf(
  { of, required }: NonNullable<ApiOperation["body"]>,
  definitions: Definitions,
  shared: SharedParameters,
): JsonObject {
  const write = (): JsonObject => ({
    name: "body",
    in: "body",
    ...(required && { required: true }),
    schema: definitions.ofBody(of),
  });
  const isShared = of.kind === "type" && of.name.startsWith("meta/");
  return isShared ? shared.of("body", `${of.name} ${required}`, write) : write();
}

function responseOf(response: ApiResponse, definitions: Definitions): JsonObject {
  const { of } = response;
  const description = responseText(response.code);
  return of === undefined ? { description } : { description, schema: definitions.ofBody(of) };
}
