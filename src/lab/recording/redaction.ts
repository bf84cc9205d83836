import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";

/** Replaces a secret, and is valid where JSON is expected. */
const redacted = '{"redacted":true}';
const redactedData = Buffer.from(redacted).toString("base64");

const privateKeys = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;
/** The same in base64: `-----BEGIN `, and what follows. */
const encodedBlocks = /LS0tLS1CRUdJTi[\w+/=-]+/g;
/** Three parts, of which the first begins as JSON objects do. */
const signedTokens = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
/** Fields with tokens, in token requests and reviews. */
const tokenFields = new Set(["token", "refreshToken", "clientKeyData", "password", "bearerToken"]);

/** A body without secrets. `isSecret`: it is a secret's, whatever it states, such as a patch of one. */
export function withoutSecrets(value: JsonValue, isSecret: boolean): JsonValue {
  if (isSecret && Array.isArray(value)) return value.map(operationWithoutSecrets);
  return cleaned(value, isSecret);
}

function cleaned(value: JsonValue, within: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, within));
  if (!isJsonObject(value)) return typeof value === "string" ? textWithoutSecrets(value) : value;
  const { kind } = value;
  // Items of a list of secrets, and rows of a table, do not state their kind.
  const isSecret = within || kind === "Secret" || kind === "SecretList";
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (isSecret && name === "data") return [name, allReplaced(field, redactedData)];
      // Clients' annotations may contain the applied configuration.
      if (isSecret && (name === "stringData" || name === "annotations")) {
        return [name, allReplaced(field, redacted)];
      }
      if (tokenFields.has(name) && typeof field === "string" && field !== "") return [name, redacted];
      return [name, cleaned(field, isSecret)];
    }),
  );
}

/** An operation in a JSON patch of a secret. */
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
