import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { printInternal } from "../../checks/internal-form.js";
import {
  type PersistentVolumeRules,
  validatePersistentVolumeSpec,
} from "../../core/persistent-volume/validation.js";
import type { SchemaSource } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PersistentVolumeSpec } from "../../gen/core-v1.js";
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeError,
} from "../../gen/storage-v1.js";
import { storageV1Types } from "../v1/types.js";

const attachmentRules = fieldRules<VolumeAttachment>(storageV1Types, "VolumeAttachment");
const specRules = fieldRules<VolumeAttachmentSpec>(storageV1Types, "VolumeAttachmentSpec");
const sourceRules = fieldRules<VolumeAttachmentSource>(storageV1Types, "VolumeAttachmentSource");

/** Limit of all keys and values together. */
const metadataBytesMax = 256 * 1024;
const messageBytesMax = 1024;

export function validateVolumeAttachment(
  object: VolumeAttachment,
  rules: PersistentVolumeRules,
): FieldError[] {
  const { spec, status } = object;
  const path = FieldPath.of("spec");
  const areStrict = areAllStrict(rules);
  const errors = areStrict
    ? validateDriverName(spec.attacher, path.child("attacher"))
    : specRules.check(spec, path, "attacher");
  append(errors, validateSource(spec.source, path.child("source"), rules));
  append(errors, specRules.check(spec, path, "nodeName"));
  const statusPath = FieldPath.of("status");
  let bytes = 0;
  for (const [key, value] of Object.entries(status.attachmentMetadata ?? {})) {
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > metadataBytesMax)
    errors.push(tooLong(statusPath.child("attachmentMetadata"), metadataBytesMax));
  return [
    ...errors,
    ...validateVolumeError(status.attachError, statusPath.child("attachError")),
    ...validateVolumeError(status.detachError, statusPath.child("detachError")),
    ...(areStrict ? validateVolumeName(spec) : []),
  ];
}

/** Since 1.36, the rules for new attachments hold for all. */
function areAllStrict({ level }: PersistentVolumeRules): boolean {
  return isAtLeast(level, "1.36");
}

/** Rules that stored attachments need not meet, because they are older. */
export function validateNewVolumeAttachment(
  { spec }: VolumeAttachment,
  rules: PersistentVolumeRules,
): FieldError[] {
  if (areAllStrict(rules)) return [];
  return [
    ...validateDriverName(spec.attacher, FieldPath.of("spec", "attacher")),
    ...validateVolumeName(spec),
  ];
}

function validateVolumeName({ source }: VolumeAttachmentSpec): FieldError[] {
  const name = source.persistentVolumeName;
  if (name === undefined) return [];
  const path = FieldPath.of("spec", "source", "persistentVolumeName");
  return isDns1123Subdomain(name).map((problem) => invalid(path, name, problem));
}

export function validateVolumeAttachmentUpdate(
  object: VolumeAttachment,
  old: VolumeAttachment,
  rules: PersistentVolumeRules,
  schemas: SchemaSource,
): FieldError[] {
  return [
    ...validateVolumeAttachment(object, rules),
    ...attachmentRules.unchangedValue("spec", object.spec, old.spec, FieldPath.of("spec"), (spec) =>
      printInternal(schemas, "storage/v1.VolumeAttachmentSpec", spec, printSpec(spec).text),
    ),
  ];
}

function printSpec({ attacher, source, nodeName }: VolumeAttachmentSpec): PrintedValue {
  return printStruct("storage.VolumeAttachmentSpec", {
    Attacher: attacher,
    Source: printStruct("storage.VolumeAttachmentSource", {
      PersistentVolumeName: printPointer("string", source.persistentVolumeName),
      InlineVolumeSpec: printPointer("core.PersistentVolumeSpec", source.inlineVolumeSpec),
    }),
    NodeName: nodeName,
  });
}

function validateSource(
  source: VolumeAttachmentSource,
  path: FieldPath,
  rules: PersistentVolumeRules,
): FieldError[] {
  const { inlineVolumeSpec, persistentVolumeName } = source;
  const exactlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined)
    return [forbidden(path, exactlyOne)];
  if (inlineVolumeSpec !== undefined) {
    return validateInlineVolume(inlineVolumeSpec, path.child("inlineVolumeSpec"), rules);
  }
  if (persistentVolumeName === undefined) return [required(path, exactlyOne)];
  return sourceRules.check(source, path, "persistentVolumeName");
}

/** A translated inline volume of a pod: no persistent volume object exists, so the fields for claiming and reclaiming are not allowed. */
function validateInlineVolume(
  spec: PersistentVolumeSpec,
  path: FieldPath,
  rules: PersistentVolumeRules,
): FieldError[] {
  const context = "in the context of inline volumes";
  const policy = spec.persistentVolumeReclaimPolicy ?? "";
  const errors: FieldError[] = [];
  const refuse = (field: keyof PersistentVolumeSpec & string, isSet: boolean): void => {
    if (isSet) errors.push(forbidden(path.child(field), `may not be specified ${context}`));
  };
  refuse("claimRef", spec.claimRef !== undefined);
  refuse("capacity", Object.keys(spec.capacity ?? {}).length > 0);
  if (spec.csi === undefined) errors.push(required(path.child("csi"), `has to be specified ${context}`));
  if (policy !== "" && policy !== "Retain") {
    errors.push(forbidden(path.child("persistentVolumeReclaimPolicy"), `may only be Retain ${context}`));
  }
  refuse("nodeAffinity", spec.nodeAffinity !== undefined);
  refuse("storageClassName", (spec.storageClassName ?? "") !== "");
  // The rest is validated like a persistent volume, which requires a capacity.
  const rest: PersistentVolumeSpec = {
    ...spec,
    capacity: { storage: "1" },
    persistentVolumeReclaimPolicy: undefined,
    nodeAffinity: undefined,
    storageClassName: undefined,
    volumeMode: undefined,
  };
  append(errors, validatePersistentVolumeSpec(rest, "", rules, path));
  if (spec.volumeMode !== undefined && spec.volumeMode !== "Filesystem") {
    const why = `may not specify volumeMode other than Filesystem ${context}`;
    errors.push(forbidden(path.child("volumeMode"), why));
  }
  return errors;
}

function validateVolumeError(error: VolumeError | undefined, path: FieldPath): FieldError[] {
  if (byteLength(error?.message ?? "") <= messageBytesMax) return [];
  // As in Kubernetes, the error names the limit of the metadata.
  return [tooLong(path.child("message"), metadataBytesMax)];
}
