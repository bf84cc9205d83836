import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { validateObjectName } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  AzureFileVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  ImageVolumeSource,
  LocalObjectReference,
  PersistentVolumeClaimVolumeSource,
  StorageOSVolumeSource,
  Volume,
} from "../../gen/core-v1.js";
import { nodePublishSecretRefAt } from "../persistent-volume/csi-source-validation.js";
import {
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateCephFs,
  validateFibreChannel,
  validateFlex,
  validateFlocker,
  validateGcePersistentDisk,
  validateHostPath,
  validateNfs,
  validatePhoton,
  validatePortworx,
  validateQuobyte,
  validateRbd,
  validateScaleIo,
  validateVsphere,
} from "../persistent-volume/volume-source-validation.js";
import { coreV1Types } from "../v1/types.js";
import { validateEphemeralSource } from "./ephemeral-volume-validation.js";
import { validateIscsiSource, validateIscsiVolumeName } from "./iscsi-volume-validation.js";
import type { VolumesByName } from "./mount-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import {
  validateConfigMapSource,
  validateDownwardApiSource,
  validateProjectedSource,
  validateSecretSource,
} from "./volume-files-validation.js";

const gitRepoRules = fieldRules<GitRepoVolumeSource>(coreV1Types, "GitRepoVolumeSource");
const glusterfsRules = fieldRules<GlusterfsVolumeSource>(coreV1Types, "GlusterfsVolumeSource");
const claimRules = fieldRules<PersistentVolumeClaimVolumeSource>(
  coreV1Types,
  "PersistentVolumeClaimVolumeSource",
);
const cinderRules = fieldRules<CinderVolumeSource>(coreV1Types, "CinderVolumeSource");
const azureFileRules = fieldRules<AzureFileVolumeSource>(coreV1Types, "AzureFileVolumeSource");
const storageOsRules = fieldRules<StorageOSVolumeSource>(coreV1Types, "StorageOSVolumeSource");
const volumeRules = fieldRules<Volume>(coreV1Types, "Volume");

const imageRules = fieldRules<ImageVolumeSource>(coreV1Types, "ImageVolumeSource");
const referenceRules = fieldRules<LocalObjectReference>(coreV1Types, "LocalObjectReference");

/** The pod's metadata, undefined for a template: the pod's name determines the claim names of ephemeral volumes. */
export type PodMeta = Pick<ObjectMeta, "name"> | undefined;

/** Also returns the valid volumes, which mounts may refer to. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  podMeta: PodMeta,
  path: FieldPath,
  options: PodValidationOptions,
): { volumes: VolumesByName; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const valid = new Map<string, Volume>();
  const podName = podMeta?.name ?? "";
  const ownClaims = new Set(
    (volumes ?? []).flatMap((v) =>
      podName !== "" && v.ephemeral !== undefined ? [`${podName}-${v.name}`] : [],
    ),
  );
  for (const [index, volume] of (volumes ?? []).entries()) {
    const at = path.index(index);
    // Mounts may refer to valid volumes alone.
    const found = validateSources(volume, podName, at, options);
    append(found, volumeRules.check(volume, at, "name"));
    if (valid.has(volume.name)) found.push(duplicate(at.child("name"), volume.name));
    if (found.length === 0) valid.set(volume.name, volume);
    append(errors, found);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined && ownClaims.has(claimName)) {
      errors.push(
        invalid(
          at.child("persistentVolumeClaim", "claimName"),
          claimName,
          "must not reference a PVC that gets created for an ephemeral volume",
        ),
      );
    }
  }
  return { volumes: valid, errors };
}

type SourceName = Exclude<keyof Volume, "name" | "emptyDir">;

/** In Kubernetes' order; the first one set is the volume's source, and only it is validated. */
const sourceOrder: readonly SourceName[] = [
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
];

/** Kubernetes misspells some field names when it reports a second source. */
const misspelled: { readonly [name in SourceName]?: string } = {
  cephfs: "cephFS",
  downwardAPI: "downwarAPI",
};

function validateSources(
  volume: Volume,
  podName: string,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  if (volume.emptyDir !== undefined) {
    found = true;
    const { sizeLimit } = volume.emptyDir;
    if (sizeLimit !== undefined && Quantity.parse(sizeLimit).sign() < 0) {
      errors.push(
        forbidden(path.child("emptyDir", "sizeLimit"), "SizeLimit field must be a valid resource quantity"),
      );
    }
  }
  for (const name of sourceOrder) {
    if (volume[name] === undefined) continue;
    if (found)
      errors.push(forbidden(path.child(misspelled[name] ?? name), "may not specify more than 1 volume type"));
    else append(errors, validateSource(volume, name, path.child(name), path, options));
    if (name === "iscsi") append(errors, validateIscsiVolumeName(volume, path));
    if (name === "ephemeral" && !found) append(errors, validateClaimName(volume, podName, path));
    found = true;
  }
  if (!found) errors.push(required(path, "must specify a volume type"));
  return errors;
}

/** `at` is the path of the source, `path` that of the volume. */
function validateSource(
  volume: Volume,
  name: SourceName,
  at: FieldPath,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  switch (name) {
    case "hostPath":
      return check(volume.hostPath, (s) => validateHostPath(s, at));
    case "gitRepo":
      return check(volume.gitRepo, (s) => [...gitRepoRules.check(s, at, "repository", "directory")]);
    case "gcePersistentDisk":
      return check(volume.gcePersistentDisk, (s) =>
        validateGcePersistentDisk(s, path.child("persistentDisk")),
      );
    case "awsElasticBlockStore":
      return check(volume.awsElasticBlockStore, (s) => validateAwsElasticBlockStore(s, at));
    case "secret":
      return check(volume.secret, (s) => validateSecretSource(s, at));
    case "nfs":
      return check(volume.nfs, (s) => validateNfs(s, at));
    case "iscsi":
      return check(volume.iscsi, (s) => validateIscsiSource(s, at));
    case "glusterfs":
      return check(volume.glusterfs, (s) => glusterfsRules.check(s, at, "endpoints", "path"));
    case "flocker":
      return check(volume.flocker, (s) => validateFlocker(s, at));
    case "persistentVolumeClaim":
      return check(volume.persistentVolumeClaim, (s) => claimRules.check(s, at, "claimName"));
    case "rbd":
      return check(volume.rbd, (s) => validateRbd(s, at));
    case "cinder":
      return check(volume.cinder, (s) => [
        ...cinderRules.check(s, at, "volumeID"),
        ...validateSecretRef(s.secretRef, at.child("secretRef")),
      ]);
    case "cephfs":
      return check(volume.cephfs, (s) => validateCephFs(s, at));
    case "quobyte":
      return check(volume.quobyte, (s) => validateQuobyte(s, at));
    case "downwardAPI":
      return check(volume.downwardAPI, (s) => validateDownwardApiSource(s, at, options));
    case "fc":
      return check(volume.fc, (s) => validateFibreChannel(s, at));
    case "flexVolume":
      return check(volume.flexVolume, (s) => validateFlex(options.naming, s, at));
    case "configMap":
      return check(volume.configMap, (s) => validateConfigMapSource(s, at));
    case "azureFile":
      return check(volume.azureFile, (s) => azureFileRules.check(s, at, "secretName", "shareName"));
    case "vsphereVolume":
      return check(volume.vsphereVolume, (s) => validateVsphere(s, at));
    case "photonPersistentDisk":
      return check(volume.photonPersistentDisk, (s) => validatePhoton(s, at));
    case "portworxVolume":
      return check(volume.portworxVolume, (s) => validatePortworx(s, at));
    case "azureDisk":
      return check(volume.azureDisk, (s) => validateAzureDisk(s, at));
    case "storageos":
      return check(volume.storageos, (s) => [
        ...storageOsRules.check(s, at, "volumeName", "volumeNamespace"),
        ...validateSecretRef(s.secretRef, at.child("secretRef")),
      ]);
    case "projected":
      return check(volume.projected, (s) => validateProjectedSource(s, at, options));
    case "scaleIO":
      return check(volume.scaleIO, (s) => validateScaleIo(s, at));
    case "csi":
      return check(volume.csi, (s) => validateCsiSource(s, at, options));
    case "ephemeral":
      return check(volume.ephemeral, (s) => validateEphemeralSource(s, at, options));
    case "image":
      return check(volume.image, (s) => [
        ...(options.isPod ? imageRules.check(s, at, "reference") : []),
        ...imageRules.check(s, at, "pullPolicy"),
      ]);
  }
}

function check<S>(source: S | undefined, validate: (source: S) => FieldError[]): FieldError[] {
  return source === undefined ? [] : validate(source);
}

function validateSecretRef(ref: LocalObjectReference | undefined, path: FieldPath): FieldError[] {
  return ref === undefined ? [] : referenceRules.check(ref, path, "name");
}

function validateCsiSource(
  source: CSIVolumeSource,
  path: FieldPath,
  { level }: PodValidationOptions,
): FieldError[] {
  const errors = validateDriverName(source.driver, path.child("driver"));
  if (source.nodePublishSecretRef === undefined) return errors;
  const { name = "" } = source.nodePublishSecretRef;
  if (name === "") errors.push(required(path.child(nodePublishSecretRefAt(level), "name"), ""));
  else append(errors, validateObjectName(name, path.child("name")));
  return errors;
}

function validateClaimName({ name }: Volume, podName: string, path: FieldPath): FieldError[] {
  if (podName === "" || name === "") return [];
  const claimName = `${podName}-${name}`;
  return nameIsDnsSubdomain(claimName, false).map((problem) =>
    invalid(path.child("name"), name, `PVC name ${JSON.stringify(claimName)}: ${problem}`),
  );
}
