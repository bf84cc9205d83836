import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";

/** In the place of a secret: also valid where JSON is expected. */
const redacted = '{"redacted":true}';
const redactedData = Buffer.from(redacted).toString("base64");

const privateKeys = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;
/** The same as data of something: `-----BEGIN ` in base64, and what follows. */
const encodedBlocks = /LS0tLS1CRUdJTi[\w+/=-]+/g;
/** Of three parts, the first of which begins as JSON objects do. */
const signedTokens = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
/** The fields of tokens, in requests for them and reviews of them. */
const tokenFields = new Set(["token", "refreshToken", "clientKeyData", "password", "bearerToken"]);

/** A body without secrets. `isSecret`: it is of secrets, whatever it says of itself, such as a patch of one. */
export function withoutSecrets(value: JsonValue, isSecret: boolean): JsonValue {
  if (isSecret && Array.isArray(value)) return value.map(operationWithoutSecrets);
  return cleaned(value, isSecret);
}

function cleaned(value: JsonValue, within: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, within));
  if (!isJsonObject(value)) return typeof value === "string" ? textWithoutSecrets(value) : value;
  const { kind } = value;
  // The items of a list of secrets, and the rows of a table, do not say what they are.
  const isSecret = within || kind === "Secret" || kind === "SecretList";
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (isSecret && name === "data") return [name, allReplaced(field, redactedData)];
      // Annotations of clients repeat what was applied.
      if (isSecret && (name === "stringData" || name === "annotations")) {
        return [name, allReplaced(field, redacted)];
      }
      if (tokenFields.has(name) && typeof field === "string" && field !== "") return [name, redacted];
      return [name, cleaned(field, isSecret)];
    }),
  );
}

/** An operation of a JSON patch of a secret. */
function operationWithoutSecrets(operation: JsonValue): JsonValue {
  if (!isJsonObject(operation) || operation.value === undefined) return cleaned(operation, true);
  return { ...operation, value: allReplaced(operation.value, redactedData) };
}

function allReplaced(value: JsonValue, by: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => allReplaced(item, by));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, allReplaced(field, by)]));
  }
  return typeof value === "string" && value !== "" ? by : value;
}

export function textWithoutSecrets(text: string): string {
  return text
    .replace(privateKeys, redacted)
    .replace(encodedBlocks, (block) =>
      Buffer.from(block, "base64").toString("latin1").includes("PRIVATE KEY") ? redactedData : block,
    )
    .replace(signedTokens, redacted);
}
