import { type FieldError, type FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";

// Patterns are `pods`, `pods/log`, either part as `*`, or `*` alone; none may match what another one matches already.
export function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const everywhere = new Set<string>();
  let lastIsPlain = false;
  for (const [index, pattern] of resources.entries()) {
    const at = path.index(index);
    if (pattern === "") {
      errors.push(required(at, ""));
      continue;
    }
    const slash = pattern.indexOf("/");
    if (slash < 0) {
      // As in Kubernetes, only the last pattern without a slash counts.
      lastIsPlain = pattern !== "*";
      continue;
    }
    const resource = pattern.slice(0, slash);
    const subresource = pattern.slice(slash + 1);
    if (wholeResources.has(resource)) {
      errors.push(invalid(at, pattern, `if '${resource}/*' is present, must not specify ${pattern}`));
    }
    if (everywhere.has(subresource)) {
      errors.push(invalid(at, pattern, `if '*/${subresource}' is present, must not specify ${pattern}`));
    }
    if (subresource === "*") wholeResources.add(resource);
    if (resource === "*") everywhere.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes("*") && lastIsPlain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, why));
  }
  return errors;
}
