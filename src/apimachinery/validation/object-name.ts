import { isDns1035Label, isDns1123Label, isDns1123Subdomain } from "./dns-names.js";

/**
 * Checks the name of an object of some kind. With `prefix` it is a `generateName`, which may end in characters that a name may not.
 */
export type NameValidator = (name: string, prefix: boolean) => string[];

export const nameIsDnsSubdomain: NameValidator = (name, prefix) =>
  isDns1123Subdomain(prefix ? maskTrailingDash(name) : name);

export const nameIsDnsLabel: NameValidator = (name, prefix) =>
  isDns1123Label(prefix ? maskTrailingDash(name) : name);

export const nameIsDns1035Label: NameValidator = (name, prefix) =>
  isDns1035Label(prefix ? maskTrailingDash(name) : name);

/** For kinds whose names only have to be valid path segments, such as roles and bindings. */
export const nameIsPathSegment: NameValidator = (name, prefix) =>
  prefix ? isValidPathSegmentPrefix(name) : isValidPathSegmentName(name);

/** For review kinds, whose name is ignored. */
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

/** `web-` gets a random suffix, so its dash is not the last character. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}
