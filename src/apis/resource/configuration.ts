import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
} from "../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { byteLength } from "../../apimachinery/validation/messages.js";
import { validateDriverName } from "../checks/driver-name.js";
import { fieldRules } from "../definition/field-rules.js";
import type { DeviceConfiguration } from "../gen/resource-v1.js";
import { resourceV1Types } from "./v1/types.js";

const opaqueBytesMax = 10 * 1024;
const rules = fieldRules<DeviceConfiguration>(resourceV1Types, "DeviceConfiguration");

/** Stored parameters may be longer than the limit, which was added later. */
export function validateDeviceConfiguration(
  configuration: DeviceConfiguration,
  path: FieldPath,
  isStored: boolean,
): FieldError[] {
  const { opaque } = configuration;
  const at = path.child("opaque");
  if (opaque === undefined) return rules.check(configuration, path, "opaque");
  return [
    ...validateDriverName(opaque.driver, at.child("driver")),
    ...validateOpaque(opaque.parameters, at.child("parameters"), isStored),
  ];
}

/** Parameters that only the driver understands. */
export function validateOpaque(
  value: JsonValue | undefined,
  path: FieldPath,
  isStored: boolean,
): FieldError[] {
  if (value === undefined || value === null) return [required(path, "")];
  if (!isStored && byteLength(printJson(value)) > opaqueBytesMax) return [tooLong(path, opaqueBytesMax)];
  if (isJsonObject(value)) return [];
  const why = `${hasErrorTextsOf(34) ? "" : "parameters "}must be a valid JSON object`;
  return [invalid(path, new PrintedValue('"<value omitted>"'), why)];
}
