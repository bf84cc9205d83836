import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { addToList } from "../../../apimachinery/collections/groups.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { immutableMessage } from "../../../apimachinery/validation/values.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CSINode, CSINodeDriver, VolumeNodeResources } from "../../gen/storage-v1.js";
import { storageV1Types } from "../v1/types.js";

const driverRules = fieldRules<CSINodeDriver>(storageV1Types, "CSINodeDriver");
const resourceRules = fieldRules<VolumeNodeResources>(storageV1Types, "VolumeNodeResources");

const nodeIdBytesMax = 256;

export function validateCsiNode(object: CSINode): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(object.spec.drivers, (driver, index) => {
    const path = FieldPath.of("spec", "drivers").index(index);
    const errors = validateDriver(driver, path);
    if (seen.has(driver.name)) errors.push(duplicate(path.child("name"), driver.name));
    seen.add(driver.name);
    return [...errors, ...validateTopologyKeys(driver.topologyKeys ?? [], path)];
  });
}

/** Drivers may be added and removed, but not changed, except for their allocatable count (`allowsCounts`). */
export function validateCsiNodeUpdate(object: CSINode, old: CSINode, allowsCounts: boolean): FieldError[] {
  // Kubernetes validates an updated object twice and reports every error twice.
  const errors = [...validateCsiNode(object), ...validateCsiNode(object)];
  // An invalid list may repeat a name.
  const drivers = new Map<string, CSINodeDriver[]>();
  for (const driver of object.spec.drivers ?? []) {
    addToList(drivers, driver.name, driver);
  }
  const path = hasErrorTextsOf(33) ? FieldPath.of("spec", "drivers") : FieldPath.of("CSINodeDriver");
  return [
    ...errors,
    ...errorsOfEach(old.spec.drivers, (oldDriver) =>
      errorsOfEach(drivers.get(oldDriver.name), (driver) =>
        isDeepEqual(driver, allowsCounts ? { ...oldDriver, allocatable: driver.allocatable } : oldDriver)
          ? []
          : [
              invalid(
                path,
                printDriver(allowsCounts ? { ...driver, allocatable: undefined } : driver),
                immutableMessage,
              ),
            ],
      ),
    ),
  ];
}

function printDriver({ name, nodeID, topologyKeys, allocatable }: CSINodeDriver): PrintedValue {
  return printStruct("storage.CSINodeDriver", {
    Name: name,
    NodeID: nodeID,
    TopologyKeys: printList("string", topologyKeys),
    Allocatable: printPointer("storage.VolumeNodeResources", allocatable),
  });
}

function validateDriver(driver: CSINodeDriver, path: FieldPath): FieldError[] {
  const { name, nodeID, allocatable } = driver;
  const errors = validateDriverName(name, path.child("name"));
  append(errors, driverRules.check(driver, path, "nodeID"));
  if (byteLength(nodeID) > nodeIdBytesMax) {
    errors.push(invalid(path.child("nodeID"), nodeID, `must be ${nodeIdBytesMax} characters or less`));
  }
  if (allocatable === undefined) return errors;
  return [...errors, ...resourceRules.check(allocatable, path.child("allocatable"), "count")];
}

function validateTopologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(keys, (key) => {
    const errors: FieldError[] = [];
    if (key === "") errors.push(required(path, ""));
    if (seen.has(key)) errors.push(duplicate(path, key));
    seen.add(key);
    return [...errors, ...isQualifiedName(key).map((problem) => invalid(path, key, problem))];
  });
}
