import type { SeccompProfile } from "../../gen/core-v1.js";

const localhostPrefix = "localhost/";

/** Empty for no profile, and for one that annotations cannot express. */
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

/** Undefined when the annotation is not a valid profile. */
export function seccompProfileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default" || annotation === "docker/default") return { type: "RuntimeDefault" };
  if (annotation.startsWith(localhostPrefix) && annotation.length > localhostPrefix.length) {
    return { type: "Localhost", localhostProfile: annotation.slice(localhostPrefix.length) };
  }
  return undefined;
}
