import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notFoundField,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { hasBacksteps } from "../../../apimachinery/validation/file-paths.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Volume, VolumeDevice, VolumeMount } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { AnyContainer } from "./containers.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const deviceRules = fieldRules<VolumeDevice>(coreV1Types, "VolumeDevice");

/** The valid volumes of a pod, by name. */
export type VolumesByName = ReadonlyMap<string, Volume>;

const rules = fieldRules<VolumeMount>(coreV1Types, "VolumeMount");

export function validateVolumeMounts(
  container: AnyContainer,
  volumes: VolumesByName,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const devices = container.volumeDevices ?? [];
  const deviceNames = new Set(devices.map((device) => device.name));
  const devicePaths = lastPaths(devices);
  const seen = new Set<string>();
  return errorsOfEach(container.volumeMounts, (mount, index) => {
    const errors: FieldError[] = [];
    const at = path.index(index);
    const { name, mountPath, subPath = "", subPathExpr = "" } = mount;
    append(errors, rules.check(mount, at, "name"));
    if (!volumes.has(name)) errors.push(notFoundField(at.child("name"), name));
    append(errors, rules.check(mount, at, "mountPath"));
    if (seen.has(mountPath)) errors.push(invalid(at.child("mountPath"), mountPath, "must be unique"));
    seen.add(mountPath);
    if (deviceNames.has(name)) {
      errors.push(invalid(at.child("name"), name, "must not already exist in volumeDevices"));
    }
    if (devicePaths.has(mountPath)) {
      errors.push(
        invalid(at.child("mountPath"), mountPath, "must not already exist as a path in volumeDevices"),
      );
    }
    if (volumes.get(name)?.image !== undefined && !isAtLeast(options.level, "1.33")) {
      for (const [field, value] of Object.entries({ subPath, subPathExpr })) {
        if (value !== "") errors.push(invalid(at.child(field), value, "not allowed in image volume sources"));
      }
    }
    // Kubernetes reports all but one of the following errors with the path of the list.
    append(errors, rules.checkValue("subPath", subPath, path.child("subPath")));
    if (subPath !== "" && subPathExpr !== "") {
      errors.push(
        invalid(at.child("subPathExpr"), subPathExpr, "subPathExpr and subPath are mutually exclusive"),
      );
    }
    append(errors, rules.checkValue("subPathExpr", subPathExpr, path.child("subPathExpr")));
    append(errors, validatePropagation(mount, container, path.child("mountPropagation")));
    append(errors, validateRecursion(mount, path.child("recursiveReadOnly")));
    return errors;
  });
}

/** If several have the same name, the last one counts. */
function lastPaths(devices: readonly VolumeDevice[]): Set<string> {
  return new Set(new Map(devices.map((device) => [device.name, device.devicePath])).values());
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  container: AnyContainer,
  path: FieldPath,
): FieldError[] {
  const errors = rules.checkValue("mountPropagation", mountPropagation, path);
  if (errors.length > 0) return errors;
  if (mountPropagation === "Bidirectional" && container.securityContext?.privileged !== true) {
    return [forbidden(path, "Bidirectional mount propagation is available only to privileged containers")];
  }
  return [];
}

/** Whether mounts below the mount are read-only too. */
function validateRecursion(mount: VolumeMount, path: FieldPath): FieldError[] {
  const { recursiveReadOnly, readOnly, mountPropagation = "None" } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === "Disabled") return [];
  const errors = rules.checkValue("recursiveReadOnly", recursiveReadOnly, path);
  if (errors.length > 0) return errors;
  if (readOnly !== true) errors.push(forbidden(path, "may only be specified when readOnly is true"));
  if (mountPropagation !== "None") {
    const why = "may only be specified when mountPropagation is None or not specified";
    errors.push(forbidden(path, why));
  }
  return errors;
}

export function validateVolumeDevices(
  container: AnyContainer,
  volumes: VolumesByName,
  path: FieldPath,
): FieldError[] {
  const mounts = container.volumeMounts ?? [];
  const mountNames = new Set(mounts.map((mount) => mount.name));
  const mountPaths = new Set(new Map(mounts.map((mount) => [mount.name, mount.mountPath])).values());
  const seenPaths = new Set<string>();
  const seenNames = new Set<string>();
  return errorsOfEach(container.volumeDevices, (device, index) => {
    const { name, devicePath } = device;
    const errors: FieldError[] = [];
    const namePath = path.index(index).child("name");
    const at = path.index(index).child("devicePath");
    const volume = volumes.get(name);
    append(errors, deviceRules.check(device, path.index(index), "name"));
    if (seenNames.has(name)) errors.push(invalid(namePath, name, "must be unique"));
    if (volume === undefined) errors.push(notFoundField(namePath, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.push(invalid(namePath, name, why));
    }
    append(errors, deviceRules.check(device, path.index(index), "devicePath"));
    if (seenPaths.has(devicePath)) errors.push(invalid(at, devicePath, "must be unique"));
    if (hasBacksteps(devicePath)) {
      errors.push(invalid(at, devicePath, "can not contain backsteps ('..')"));
    } else seenPaths.add(devicePath);
    if (mountNames.has(name)) {
      errors.push(invalid(namePath, name, "must not already exist in volumeMounts"));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(invalid(at, devicePath, "must not already exist as a path in volumeMounts"));
    }
    if (name !== "") seenNames.add(name);
    return errors;
  });
}
