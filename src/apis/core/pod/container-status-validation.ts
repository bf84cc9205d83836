import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { printResourceName } from "../../checks/resource-name-validation.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  Container,
  ContainerStatus,
  ImageVolumeStatus,
  LinuxContainerUser,
  Pod,
  ResourceHealth,
  ResourceStatus,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

export interface ContainerStatusRules {
  readonly level: ApiLevel;
  /** Whether the images of volumes in statuses are checked. */
  readonly checksImageDigests: boolean;
}

const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;
const userRules = fieldRules<LinuxContainerUser>(coreV1Types, "LinuxContainerUser");
const healthRules = fieldRules<ResourceHealth>(coreV1Types, "ResourceHealth");
const imageRules = fieldRules<ImageVolumeStatus>(coreV1Types, "ImageVolumeStatus");

/** What node agents report of containers. */
export function validateContainerStatuses(
  { spec, status }: Pod,
  path: FieldPath,
  rules: ContainerStatusRules,
): FieldError[] {
  const isWindows = spec.os?.name === "windows";
  const errors = lists.flatMap((list) => validateUsers(status[list], path.child(list), isWindows, rules));
  const { containers, initContainers } = spec;
  append(
    errors,
    validateDevices(status.containerStatuses, containers, path.child("containerStatuses"), rules),
  );
  const initPath = path.child("initContainerStatuses");
  append(errors, validateDevices(status.initContainerStatuses, initContainers, initPath, rules));
  const ephemeralPath = path.child("ephemeralContainerStatuses");
  append(errors, validateNoDevices(status.ephemeralContainerStatuses, ephemeralPath));
  if (rules.checksImageDigests) {
    for (const list of lists) append(errors, validateVolumes(status[list], path.child(list)));
  }
  return errors;
}

/** Before 1.33, errors leave the name of the field out. */
function userPath(path: FieldPath, level: ApiLevel): FieldPath {
  return isAtLeast(level, "1.33") ? path.child("user") : path;
}

/** The user and group IDs of processes. */
function validateUsers(
  statuses: readonly ContainerStatus[] | undefined,
  path: FieldPath,
  isWindows: boolean,
  { level }: ContainerStatusRules,
): FieldError[] {
  return errorsOfEach(statuses, ({ user }, index) => {
    if (user?.linux === undefined) return [];
    const at = userPath(path.index(index), level).child("linux");
    if (isWindows) return [forbidden(at, "cannot be set for a windows pod")];
    return userRules.check(user.linux, at, "uid", "gid", "supplementalGroups");
  });
}

/** Device health is reported for the resource or claim that provides the device. */
function validateDevices(
  statuses: readonly ContainerStatus[] | undefined,
  containers: readonly Container[] | undefined,
  path: FieldPath,
  { level }: ContainerStatusRules,
): FieldError[] {
  const byName = new Map(containers?.map((container) => [container.name, container]));
  return errorsOfEach(statuses, ({ name, allocatedResourcesStatus }, index) => {
    const container = byName.get(name);
    const [resources, claims] = [resourcesOf(container), claimsOf(container)];
    return errorsOfEach(allocatedResourcesStatus, (told, toldIndex) => {
      const at = path.index(index).child("allocatedResourcesStatus").index(toldIndex);
      const errors: FieldError[] = [];
      const isClaim = isAtLeast(level, "1.32") && told.name.startsWith("claim:");
      if (container !== undefined && !(isClaim ? claims : resources).has(told.name)) {
        errors.push(invalid(at.child("name"), printResourceName(told.name), whatItMustMatch(isClaim, level)));
      }
      return [...errors, ...validateHealths(told, at.child("resources"))];
    });
  });
}

function resourcesOf(container: Container | undefined): ReadonlySet<string> {
  return new Set(Object.keys(container?.resources.requests ?? {}));
}

function claimsOf(container: Container | undefined): ReadonlySet<string> {
  const claims = container?.resources.claims ?? [];
  return new Set(
    claims.map(({ name, request = "" }) => `claim:${name}${request === "" ? "" : `/${request}`}`),
  );
}

function whatItMustMatch(isClaim: boolean, level: ApiLevel): string {
  if (isClaim) {
    return "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  }
  const what = isAtLeast(level, "1.32") ? "requests" : "requirements";
  return `must match one of the container's resource ${what}`;
}

function validateHealths({ resources }: ResourceStatus, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(resources, (resource, index) => {
    const at = path.index(index);
    const { resourceID } = resource;
    const errors = healthRules.check(resource, at, "health", "message");
    if (seen.has(resourceID)) errors.push(duplicate(at.child("resourceID"), resourceID));
    seen.add(resourceID);
    return errors;
  });
}

/** Ephemeral containers have no resources of their own. */
function validateNoDevices(statuses: readonly ContainerStatus[] | undefined, path: FieldPath): FieldError[] {
  return errorsOfEach(statuses, ({ allocatedResourcesStatus = [] }, index) =>
    allocatedResourcesStatus.length === 0
      ? []
      : [
          forbidden(
            path.index(index).child("allocatedResourcesStatus"),
            "must not be specified in container status",
          ),
        ],
  );
}

function validateVolumes(statuses: readonly ContainerStatus[] | undefined, path: FieldPath): FieldError[] {
  return errorsOfEach(statuses, ({ volumeMounts }, index) =>
    errorsOfEach(volumeMounts, ({ volumeStatus }, mountIndex) => {
      if (volumeStatus?.image === undefined) return [];
      const at = path.index(index).child("volumeMounts").index(mountIndex);
      return imageRules.check(volumeStatus.image, at.child("volumeStatus", "imageVolumeStatus"), "imageRef");
    }),
  );
}
