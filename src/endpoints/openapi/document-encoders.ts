import { printJsonByEngine, printJsonString } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";

/** How deep a document is split: down to the schemas in the components of OpenAPI 3. */
const levels = 3;
/** Members of a large map that are encoded as one message. */
const membersPerMessage = 16;

/** JSON text in pieces. `print` writes a small part. */
export function* documentJson(
  document: JsonObject,
  print: (value: JsonValue) => string = printJsonByEngine,
  depth = 1,
): Iterable<string> {
  let separator = "{";
  for (const [name, member] of Object.entries(document)) {
    const key = `${separator}${printJsonString(name)}:`;
    separator = ",";
    if (depth < levels && isJsonObject(member)) {
      yield key;
      yield* documentJson(member, print, depth + 1);
    } else {
      yield key + print(member);
    }
  }
  yield separator === "{" ? "{}" : "}";
}

/** Protobuf in pieces, by `encode`. The members of large maps are encoded a few at a time: protobuf merges the parts of a message. */
export function* documentProtobuf(
  document: JsonObject,
  encode: (part: JsonObject) => Uint8Array,
): Iterable<Uint8Array> {
  for (const part of partsOf(document)) yield encode(part);
}

function* partsOf(document: JsonObject): Iterable<JsonObject> {
  for (const [name, value] of Object.entries(document)) {
    if (!isJsonObject(value)) {
      yield { [name]: value };
    } else if (name === "components" && Object.values(value).some(isLarge)) {
      // A message of maps.
      for (const part of partsOf(value)) yield { [name]: part };
    } else {
      for (const slice of slicesOf(value)) yield { [name]: slice };
    }
  }
}

function isLarge(map: JsonValue): boolean {
  return isJsonObject(map) && Object.keys(map).length > membersPerMessage;
}

function slicesOf(map: JsonObject): JsonObject[] {
  if (!isLarge(map)) return [map];
  const members = Object.entries(map);
  const slices: JsonObject[] = [];
  for (let start = 0; start < members.length; start += membersPerMessage) {
    slices.push(Object.fromEntries(members.slice(start, start + membersPerMessage)));
  }
  return slices;
}
