import { forbiddenError, type StatusError } from "../../apimachinery/errors/status.js";
import type { AdmissionAttributes } from "./admission-attributes.js";

/** 403 about the object of a request. */
export function refused(attributes: AdmissionAttributes, why: string): StatusError {
  return forbiddenError(attributes.resource, nameToReport(attributes), why);
}

/** Names are generated after admission, so until then the prefix names the object. */
export function nameToReport({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || "Unknown";
}
