import { isDns1035Label, isDns1123Label, isDns1123Subdomain } from "./dns-names.js";

/**
 * Checks the name of an object of some kind. With `prefix` it is a `generateName`, which may end in what a
 * whole name may not.
 */
export type NameValidator = (name: string, prefix: boolean) => string[];

export const nameIsDnsSubdomain: NameValidator = (name, prefix) =>
  isDns1123Subdomain(prefix ? maskTrailingDash(name) : name);

const nameIsDnsLabel: NameValidator = (name, prefix) =>
  isDns1123Label(prefix ? maskTrailingDash(name) : name);

export const nameIsDns1035Label: NameValidator = (name, prefix) =>
  isDns1035Label(prefix ? maskTrailingDash(name) : name);

/** For kinds whose names only have to fit in a URL: roles, bindings, custom resources' odd cousins. */
export const nameIsPathSegment: NameValidator = (name, prefix) =>
  prefix ? isValidPathSegmentPrefix(name) : isValidPathSegmentName(name);

/** For review kinds, whose name is never looked at. */
export const nameIsAnything: NameValidator = () => [];

export const validateNamespaceName: NameValidator = nameIsDnsLabel;
export const validateServiceAccountName: NameValidator = nameIsDnsSubdomain;

export function isValidPathSegmentName(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return isValidPathSegmentPrefix(name);
}

function isValidPathSegmentPrefix(name: string): string[] {
  return ["/", "%"]
    .filter((content) => name.includes(content))
    .map((content) => `may not contain '${content}'`);
}

/** `web-` will get a random end, so its dash is not the name's last character. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}
