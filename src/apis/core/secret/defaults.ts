import type { Secret } from "../../gen/core-v1.js";

export function setSecretDefaults(object: Secret): void {
  object.type ||= "Opaque";
  mergeStringData(object);
}

/** `stringData` is write-only: its values replace those of `data`. */
function mergeStringData(object: Secret): void {
  const { stringData } = object;
  if (stringData === undefined) return;
  for (const [key, text] of Object.entries(stringData)) {
    object.data ??= {};
    object.data[key] = Buffer.from(text).toString("base64");
  }
  object.stringData = undefined;
}
