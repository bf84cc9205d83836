import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { validateNamespaceName } from "../../../apimachinery/validation/object-name.js";
import type { Naming } from "../../../naming/naming.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFilePersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  FCVolumeSource,
  FlexPersistentVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GlusterfsPersistentVolumeSource,
  HostPathVolumeSource,
  LocalVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  ScaleIOVolumeSource,
  SecretReference,
  StorageOSPersistentVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const gceRules = fieldRules<GCEPersistentDiskVolumeSource>(coreV1Types, "GCEPersistentDiskVolumeSource");
const awsRules = fieldRules<AWSElasticBlockStoreVolumeSource>(
  coreV1Types,
  "AWSElasticBlockStoreVolumeSource",
);
const glusterfsRules = fieldRules<GlusterfsPersistentVolumeSource>(
  coreV1Types,
  "GlusterfsPersistentVolumeSource",
);
const nfsRules = fieldRules<NFSVolumeSource>(coreV1Types, "NFSVolumeSource");
const rbdRules = fieldRules<RBDPersistentVolumeSource>(coreV1Types, "RBDPersistentVolumeSource");
const quobyteRules = fieldRules<QuobyteVolumeSource>(coreV1Types, "QuobyteVolumeSource");
const cinderRules = fieldRules<CinderPersistentVolumeSource>(coreV1Types, "CinderPersistentVolumeSource");
const flexRules = fieldRules<FlexPersistentVolumeSource>(coreV1Types, "FlexPersistentVolumeSource");
const azureFileRules = fieldRules<AzureFilePersistentVolumeSource>(
  coreV1Types,
  "AzureFilePersistentVolumeSource",
);
const vsphereRules = fieldRules<VsphereVirtualDiskVolumeSource>(
  coreV1Types,
  "VsphereVirtualDiskVolumeSource",
);
const photonRules = fieldRules<PhotonPersistentDiskVolumeSource>(
  coreV1Types,
  "PhotonPersistentDiskVolumeSource",
);
const portworxRules = fieldRules<PortworxVolumeSource>(coreV1Types, "PortworxVolumeSource");
const scaleIoRules = fieldRules<ScaleIOPersistentVolumeSource>(coreV1Types, "ScaleIOPersistentVolumeSource");
const secretRules = fieldRules<SecretReference>(coreV1Types, "SecretReference");
const cephFsRules = fieldRules<CephFSPersistentVolumeSource>(coreV1Types, "CephFSPersistentVolumeSource");
const localRules = fieldRules<LocalVolumeSource>(coreV1Types, "LocalVolumeSource");
const storageOsRules = fieldRules<StorageOSPersistentVolumeSource>(
  coreV1Types,
  "StorageOSPersistentVolumeSource",
);

const tenantMax = 64;
/** The most bad pairs to report. */
const shownPairsMax = 16;

const hostPathRules = fieldRules<HostPathVolumeSource>(coreV1Types, "HostPathVolumeSource");
const azureDiskRules = fieldRules<AzureDiskVolumeSource>(coreV1Types, "AzureDiskVolumeSource");
const fibreChannelRules = fieldRules<FCVolumeSource>(coreV1Types, "FCVolumeSource");

export function validateHostPath(source: HostPathVolumeSource, path: FieldPath): FieldError[] {
  const errors = hostPathRules.check(source, path, "path");
  return source.path === "" ? errors : [...errors, ...hostPathRules.check(source, path, "type")];
}

export function validateLocal(source: LocalVolumeSource, path: FieldPath): FieldError[] {
  return localRules.check(source, path, "path");
}

export function validateGcePersistentDisk(
  source: GCEPersistentDiskVolumeSource,
  path: FieldPath,
): FieldError[] {
  return gceRules.check(source, path, "pdName", "partition");
}

export function validateAwsElasticBlockStore(
  source: AWSElasticBlockStoreVolumeSource,
  path: FieldPath,
): FieldError[] {
  return awsRules.check(source, path, "volumeID", "partition");
}

export function validateGlusterfs(source: GlusterfsPersistentVolumeSource, path: FieldPath): FieldError[] {
  const errors = glusterfsRules.check(source, path, "endpoints", "path");
  const namespace = source.endpointsNamespace;
  if (namespace === undefined) return errors;
  const problems =
    namespace === ""
      ? ["if the endpointnamespace is set, it must be a valid namespace name"]
      : validateNamespaceName(namespace, false);
  return [...errors, ...problemsAt(path.child("endpointsNamespace"), namespace, problems)];
}

export function validateFlocker(source: FlockerVolumeSource, path: FieldPath): FieldError[] {
  const { datasetName = "", datasetUUID = "" } = source;
  const errors: FieldError[] = [];
  if (datasetName === "" && datasetUUID === "") {
    errors.push(required(path, "one of datasetName and datasetUUID is required"));
  }
  if (datasetName !== "" && datasetUUID !== "") {
    errors.push(invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
  }
  if (datasetName.includes("/")) {
    errors.push(invalid(path.child("datasetName"), datasetName, "must not contain '/'"));
  }
  return errors;
}

export function validateNfs(source: NFSVolumeSource, path: FieldPath): FieldError[] {
  const errors = nfsRules.check(source, path, "server", "path");
  if (!source.path.startsWith("/")) {
    errors.push(invalid(path.child("path"), source.path, "must be an absolute path"));
  }
  return errors;
}

export function validateRbd(source: RBDPersistentVolumeSource, path: FieldPath): FieldError[] {
  return [...validateCephFs(source, path), ...rbdRules.check(source, path, "image")];
}

export function validateCephFs(
  source: Pick<CephFSPersistentVolumeSource, "monitors">,
  path: FieldPath,
): FieldError[] {
  return cephFsRules.checkValue("monitors", source.monitors, path.child("monitors"));
}

export function validateQuobyte(source: QuobyteVolumeSource, path: FieldPath): FieldError[] {
  const errors = quobyteRules.check(source, path, "registry");
  if (source.registry !== "" && byteLength(source.tenant ?? "") > tenantMax) {
    const why = "must be a UUID and may not exceed a length of 64 characters";
    errors.push(required(path.child("tenant"), why));
  } else if (source.registry !== "") {
    const hostPorts = "must be a host:port pair or multiple pairs separated by commas";
    const wrong = source.registry.split(",").filter((pair) => !isHostPort(pair));
    for (const _ of wrong.slice(0, shownPairsMax)) {
      errors.push(invalid(path.child("registry"), source.registry, hostPorts));
    }
  }
  return [...errors, ...quobyteRules.check(source, path, "volume")];
}

export function validateCinder(source: CinderPersistentVolumeSource, path: FieldPath): FieldError[] {
  return [...cinderRules.check(source, path, "volumeID"), ...secretErrors(source.secretRef, path)];
}

export function validateFibreChannel(source: FCVolumeSource, path: FieldPath): FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source;
  const errors: FieldError[] = [];
  const namesPath = path.child("targetWWNs");
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(required(namesPath, "must specify either targetWWNs or wwids, but not both"));
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    const why = "targetWWNs and wwids can not be specified simultaneously";
    errors.push(invalid(namesPath, targetWWNs, why));
  }
  if (targetWWNs.length === 0) return errors;
  if (lun === undefined) {
    errors.push(required(path.child("lun"), "lun is required if targetWWNs is specified"));
  }
  return [...errors, ...fibreChannelRules.check(source, path, "lun")];
}

export function validateFlex(
  { domain, groupDomain }: Naming,
  source: FlexPersistentVolumeSource | FlexVolumeSource,
  path: FieldPath,
): FieldError[] {
  const errors = flexRules.check(source, path, "driver");
  for (const key of Object.keys(source.options ?? {})) {
    const slash = key.indexOf("/");
    const owner = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
    if (!owner.endsWith(`.${domain}`) && !owner.endsWith(`.${groupDomain}`)) continue;
    const why = `${domain} and ${groupDomain} namespaces are reserved`;
    errors.push(invalid(path.child("options").key(key), key, why));
  }
  return errors;
}

export function validateAzureFile(source: AzureFilePersistentVolumeSource, path: FieldPath): FieldError[] {
  return azureFileRules.check(source, path, "secretName", "shareName", "secretNamespace");
}

export function validateVsphere(source: VsphereVirtualDiskVolumeSource, path: FieldPath): FieldError[] {
  return vsphereRules.check(source, path, "volumePath");
}

export function validatePhoton(source: PhotonPersistentDiskVolumeSource, path: FieldPath): FieldError[] {
  return photonRules.check(source, path, "pdID");
}

export function validatePortworx(source: PortworxVolumeSource, path: FieldPath): FieldError[] {
  return portworxRules.check(source, path, "volumeID");
}

const azureManagedUri =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const azureBlobUri = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function validateAzureDisk(source: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  const { diskURI, kind } = source;
  const errors = azureDiskRules.check(source, path, "diskName", "diskURI");
  append(errors, azureDiskRules.check(source, path, "cachingMode", "kind"));
  if (kind === undefined) return errors;
  if (kind === "Managed" && !diskURI.startsWith("/subscriptions/")) {
    errors.push(notSupported(path.child("diskURI"), diskURI, [azureManagedUri]));
  }
  if (kind !== "Managed" && !diskURI.startsWith("https://")) {
    errors.push(notSupported(path.child("diskURI"), diskURI, [azureBlobUri]));
  }
  return errors;
}

export function validateScaleIo(
  source: ScaleIOPersistentVolumeSource | ScaleIOVolumeSource,
  path: FieldPath,
): FieldError[] {
  return scaleIoRules.check(source, path, "gateway", "system", "volumeName");
}

export function validateStorageOs(source: StorageOSPersistentVolumeSource, path: FieldPath): FieldError[] {
  const errors = storageOsRules.check(source, path, "volumeName", "volumeNamespace");
  return [...errors, ...secretErrors(source.secretRef, path)];
}

function secretErrors(secret: SecretReference | undefined, path: FieldPath): FieldError[] {
  return secret === undefined ? [] : secretRules.check(secret, path.child("secretRef"), "name", "namespace");
}

/** `host:port`, with brackets around an IPv6 address. */
function isHostPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}
