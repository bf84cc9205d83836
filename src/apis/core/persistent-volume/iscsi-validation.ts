import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ISCSIPersistentVolumeSource, SecretReference } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<ISCSIPersistentVolumeSource>(coreV1Types, "ISCSIPersistentVolumeSource");
const secretRules = fieldRules<SecretReference>(coreV1Types, "SecretReference");

/** The three name formats (RFC 3720, §3.2.6.3) by prefix. */
export const qualifiedNames: readonly { readonly prefix: string; readonly pattern: RegExp }[] = [
  { prefix: "iqn", pattern: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/ },
  { prefix: "eui", pattern: /^eui.[A-Za-z0-9]{16}$/ },
  { prefix: "naa", pattern: /^naa.[A-Za-z0-9]{32}$/ },
];

const portalAndNameMax = 64;

export function validateIscsi(
  iscsi: ISCSIPersistentVolumeSource,
  volumeName: string,
  path: FieldPath,
): FieldError[] {
  const { targetPortal, iqn, initiatorName, secretRef } = iscsi;
  const errors = rules.check(iscsi, path, "targetPortal");
  if (initiatorName !== undefined && byteLength(`${volumeName}:${targetPortal}`) > portalAndNameMax) {
    const why =
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
    errors.push(invalid(path.child("targetportal"), targetPortal, why));
  }
  append(errors, rules.check(iscsi, path, "iqn"));
  if (iqn !== "") append(errors, nameErrors(iqn, path.child("iqn")));
  append(errors, rules.check(iscsi, path, "lun"));
  if ((iscsi.chapAuthDiscovery === true || iscsi.chapAuthSession === true) && secretRef === undefined) {
    errors.push(required(path.child("secretRef"), ""));
  }
  if (secretRef !== undefined) append(errors, secretRules.check(secretRef, path.child("secretRef"), "name"));
  // Kubernetes reports this path in lower case.
  if (initiatorName !== undefined) append(errors, nameErrors(initiatorName, path.child("initiatorname")));
  return errors;
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const kind = qualifiedNames.find(({ prefix }) => name.startsWith(prefix));
  return kind?.pattern.test(name) === true ? [] : [invalid(path, name, "must be valid format")];
}
