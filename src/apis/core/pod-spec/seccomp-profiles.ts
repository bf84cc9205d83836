import type { SeccompProfile } from "../../gen/core-v1.js";

const localhostPrefix = "localhost/";

/** Empty for none, and for one that cannot be an annotation. */
export function seccompAnnotationOf(profile: SeccompProfile | undefined): string {
  switch (profile?.type) {
    case "Unconfined":
      return "unconfined";
    case "RuntimeDefault":
      return "runtime/default";
    case "Localhost":
      return profile.localhostProfile === undefined ? "" : `${localhostPrefix}${profile.localhostProfile}`;
    default:
      return "";
  }
}

/** Undefined for an annotation that names no profile. */
export function seccompProfileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default" || annotation === "docker/default") return { type: "RuntimeDefault" };
  if (annotation.startsWith(localhostPrefix) && annotation.length > localhostPrefix.length) {
    return { type: "Localhost", localhostProfile: annotation.slice(localhostPrefix.length) };
  }
  return undefined;
}
