import { hasErrorTextsOf } from "../errors/error-texts.js";
import { type FieldError, type FieldPath, invalid } from "../errors/field-error.js";
import { printList, printPointer, printStruct } from "../errors/printed-structs.js";
import { PrintedValue } from "../errors/printed-value.js";
import { type OwnerReference, parseApiVersion } from "../objects/meta.js";
import { errorsOfEach } from "./errors-of-each.js";

const typeName = "v1.OwnerReference";

export function validateOwnerReferences(owners: readonly OwnerReference[], path: FieldPath): FieldError[] {
  let controller: OwnerReference | undefined;
  // The error of each further controller lists all owners.
  let all: PrintedValue | undefined;
  return errorsOfEach(owners, (owner) => {
    const errors = validateOwnerReference(owner, path);
    if (owner.controller !== true) return errors;
    if (controller === undefined) {
      controller = owner;
      return errors;
    }
    all ??= printList(typeName, owners.map(printOwner));
    errors.push(
      invalid(
        path,
        all,
        `Only one reference can have Controller set to true. Found "true" in references for ${nameOf(controller)} and ${nameOf(owner)}`,
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
  if (owner.kind === "") errors.push(invalid(path.child("kind"), owner.kind, empty("kind")));
  if (owner.name === "") errors.push(invalid(path.child("name"), owner.name, empty("name")));
  if (owner.uid === "") errors.push(invalid(path.child("uid"), owner.uid, empty("uid")));
  // Events expire, and everything they own would be deleted with them.
  if (groupVersion?.group === "" && groupVersion.version === "v1" && owner.kind === "Event") {
    errors.push(invalid(path, printOwner(owner), "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

function nameOf({ kind, name }: OwnerReference): string {
  return hasErrorTextsOf(26) ? `${kind}/${name}` : name;
}

function empty(field: string): string {
  return hasErrorTextsOf(34) ? "must not be empty" : `${field} must not be empty`;
}

function printOwner(owner: OwnerReference): PrintedValue {
  const inGo = printStruct(typeName, {
    APIVersion: owner.apiVersion,
    Kind: owner.kind,
    Name: owner.name,
    UID: owner.uid,
    Controller: printPointer("bool", owner.controller),
    BlockOwnerDeletion: printPointer("bool", owner.blockOwnerDeletion),
  });
  return new PrintedValue(
    () => inGo.text,
    () => JSON.stringify(owner),
  );
}
