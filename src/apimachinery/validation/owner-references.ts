import { type FieldError, type FieldPath, invalid, type PrintedValue } from "../errors/field-error.js";
import { printList, printPointer, printStruct } from "../errors/printed-structs.js";
import { type OwnerReference, parseApiVersion } from "../objects/meta.js";
import { errorsOfEach } from "./errors-of-each.js";

const typeName = "v1.OwnerReference";

export function validateOwnerReferences(owners: readonly OwnerReference[], path: FieldPath): FieldError[] {
  let controller: string | undefined;
  return errorsOfEach(owners, (owner) => {
    const errors = validateOwnerReference(owner, path);
    if (owner.controller !== true) return errors;
    if (controller === undefined) {
      controller = owner.name;
      return errors;
    }
    errors.push(
      invalid(
        path,
        printList(typeName, owners.map(printOwner)),
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.name}`,
      ),
    );
    return errors;
  });
}

function validateOwnerReference(owner: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const groupVersion = parseApiVersion(owner.apiVersion);
  if (groupVersion === undefined || groupVersion.version === "") {
    errors.push(invalid(path.child("apiVersion"), owner.apiVersion, "version must not be empty"));
  }
  if (owner.kind === "") errors.push(invalid(path.child("kind"), owner.kind, "kind must not be empty"));
  if (owner.name === "") errors.push(invalid(path.child("name"), owner.name, "name must not be empty"));
  if (owner.uid === "") errors.push(invalid(path.child("uid"), owner.uid, "uid must not be empty"));
  // Events expire, and everything they own would be deleted with them.
  if (groupVersion?.group === "" && groupVersion.version === "v1" && owner.kind === "Event") {
    errors.push(invalid(path, printOwner(owner), "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

function printOwner(owner: OwnerReference): PrintedValue {
  return printStruct(typeName, {
    APIVersion: owner.apiVersion,
    Kind: owner.kind,
    Name: owner.name,
    UID: owner.uid,
    Controller: printPointer("bool", owner.controller),
    BlockOwnerDeletion: printPointer("bool", owner.blockOwnerDeletion),
  });
}
