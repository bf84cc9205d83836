import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { IPAddress, IPAddressSpec, ParentReference } from "../../gen/networking-v1.js";
import { networkingV1Types } from "../v1/types.js";

const specRules = fieldRules<IPAddressSpec>(networkingV1Types, "IPAddressSpec");
const parentRules = fieldRules<ParentReference>(networkingV1Types, "ParentReference");
const specPath = FieldPath.of("spec");
const path = specPath.child("parentRef");

export function validateIpAddress({ spec }: IPAddress): FieldError[] {
  const { parentRef } = spec;
  if (parentRef === undefined) return specRules.check(spec, specPath, "parentRef");
  return parentRules.check(parentRef, path, "group", "resource", "name", "namespace");
}

export function validateIpAddressUpdate(object: IPAddress, old: IPAddress): FieldError[] {
  return [
    ...validateIpAddress(object),
    ...specRules.unchangedValue("parentRef", object.spec.parentRef, old.spec.parentRef, path, printParent),
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
