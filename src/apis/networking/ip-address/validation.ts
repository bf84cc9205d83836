import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { isValidPathSegmentName } from "../../../apimachinery/validation/object-name.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import type { IPAddress, ParentReference } from "../../gen/networking-v1.js";

const path = FieldPath.of("spec", "parentRef");

export function validateIpAddress({ spec: { parentRef } }: IPAddress): FieldError[] {
  if (parentRef === undefined) return [required(path, "")];
  const { group = "", resource = "", name = "", namespace = "" } = parentRef;
  return [
    // The group of services is the empty one, so it cannot be required.
    ...(group === "" ? [] : problems(path.child("group"), group, isDns1123Subdomain)),
    ...requiredSegment(path.child("resource"), resource),
    ...requiredSegment(path.child("name"), name),
    ...(namespace === "" ? [] : problems(path.child("namespace"), namespace, isValidPathSegmentName)),
  ];
}

export function validateIpAddressUpdate(object: IPAddress, old: IPAddress): FieldError[] {
  return [
    ...validateIpAddress(object),
    ...validateImmutable(object.spec.parentRef, old.spec.parentRef, path, printParent),
  ];
}

function printParent(parent: ParentReference | undefined) {
  if (parent === undefined) return undefined;
  const { group = "", resource = "", namespace = "", name = "" } = parent;
  return printStruct("networking.ParentReference", {
    Group: group,
    Resource: resource,
    Namespace: namespace,
    Name: name,
  });
}

function requiredSegment(at: FieldPath, value: string): FieldError[] {
  return value === "" ? [required(at, "")] : problems(at, value, isValidPathSegmentName);
}

function problems(at: FieldPath, value: string, check: (value: string) => string[]): FieldError[] {
  return check(value).map((problem) => invalid(at, value, problem));
}
