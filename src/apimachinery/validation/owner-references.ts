import { type FieldError, type FieldPath, invalid } from "../field-error.js";
import { type OwnerReference, parseApiVersion } from "../meta.js";

export function validateOwnerReferences(owners: readonly OwnerReference[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners) {
    errors.push(...validateOwnerReference(owner, path));
    if (owner.controller !== true) continue;
    const name = `${owner.kind}/${owner.name}`;
    if (controller === undefined) {
      controller = name;
      continue;
    }
    errors.push(
      invalid(
        path,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
      ),
    );
  }
  return errors;
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
  // Events go away by themselves; what they own would go with them.
  if (groupVersion?.group === "" && groupVersion.version === "v1" && owner.kind === "Event") {
    errors.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}
