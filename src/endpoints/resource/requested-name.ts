import { badRequest } from "../../apimachinery/errors/status.js";
import { isValidPathSegmentName } from "../../apimachinery/validation/object-name.js";

/** Throws 400 for a name that cannot be one segment of a path: no object has such a name. */
export function checkRequestedName(name: string): void {
  const problems = isValidPathSegmentName(name);
  if (problems.length === 0) return;
  throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(";")}`);
}
