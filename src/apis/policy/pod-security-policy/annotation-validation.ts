import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { annotationsBytesMax } from "../../../apimachinery/validation/labels.js";
import type { Naming } from "../../../naming/naming.js";
import { validateLocalDescendingPath } from "../../checks/relative-paths.js";

const localhostPrefix = "localhost/";

/** AppArmor and seccomp profiles: a default, and a comma-separated list of allowed ones. */
export function validateProfileAnnotations(
  annotations: { readonly [key: string]: string },
  path: FieldPath,
  { domain }: Naming,
): FieldError[] {
  const appArmor = `apparmor.security.beta.${domain}`;
  const seccomp = `seccomp.security.alpha.${domain}`;
  return [
    ...each(`${appArmor}/defaultProfileName`, appArmorErrors, false),
    ...each(`${appArmor}/allowedProfileNames`, appArmorErrors, true),
    ...each(`${seccomp}/defaultProfileName`, seccompErrors, false),
    ...each(
      `${seccomp}/allowedProfileNames`,
      (profile, all, at) => (profile === "*" ? [] : seccompErrors(profile, all, at)),
      true,
    ),
  ];

  function each(
    key: string,
    errorsOf: (profile: string, all: string, path: FieldPath) => FieldError[],
    isList: boolean,
  ): FieldError[] {
    const text = annotations[key] ?? "";
    // Longer annotations are refused as a whole.
    if (text === "" || text.length > annotationsBytesMax) return [];
    const profiles = isList ? text.split(",") : [text];
    return profiles.flatMap((profile) => errorsOf(profile, text, path.key(key)));
  }
}

/** Reports the whole annotation as the bad value. */
function appArmorErrors(profile: string, all: string, path: FieldPath): FieldError[] {
  if (["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith(localhostPrefix))
    return [];
  return [invalid(path, all, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)];
}

function seccompErrors(profile: string, _all: string, path: FieldPath): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(localhostPrefix)) {
    return validateLocalDescendingPath(profile.slice(localhostPrefix.length), path);
  }
  return [invalid(path, profile, "must be a valid seccomp profile")];
}
