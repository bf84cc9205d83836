import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ISCSIVolumeSource, Volume } from "../../gen/core-v1.js";
import { qualifiedNames } from "../persistent-volume/iscsi-validation.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<ISCSIVolumeSource>(coreV1Types, "ISCSIVolumeSource");

const portalAndNameMax = 64;

/** Some messages and paths differ from those of persistent volumes. */
export function validateIscsiSource(source: ISCSIVolumeSource, path: FieldPath): FieldError[] {
  const { iqn, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  const errors = rules.check(source, path, "targetPortal", "iqn");
  if (iqn !== "") append(errors, validateQualifiedName(iqn, path.child("iqn")));
  append(errors, rules.check(source, path, "lun"));
  if ((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined) {
    errors.push(required(path.child("secretRef"), ""));
  }
  if (initiatorName === undefined) return errors;
  return [...errors, ...validateQualifiedName(initiatorName, path.child("initiatorname"))];
}

/** Nodes derive the interface name from volume and portal. `path` is that of the volume. */
export function validateIscsiVolumeName({ name, iscsi }: Volume, path: FieldPath): FieldError[] {
  if (iscsi?.initiatorName === undefined) return [];
  if (byteLength(`${name}:${iscsi.targetPortal}`) <= portalAndNameMax) return [];
  const why =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  return [invalid(path.child("name"), name, why)];
}

function validateQualifiedName(name: string, path: FieldPath): FieldError[] {
  const kind = qualifiedNames.find(({ prefix }) => name.startsWith(prefix));
  if (kind === undefined) {
    return [invalid(path, name, "must be valid format starting with iqn, eui, or naa")];
  }
  return kind.pattern.test(name) ? [] : [invalid(path, name, "must be valid format")];
}
