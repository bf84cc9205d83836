/** `sideEffects` → `SideEffects`. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `rbac.authorization` → `RbacAuthorization`; other characters than letters and digits separate words. */
export function upperCamel(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map(upperFirst)
    .join("");
}

/** `rbac.authorization` → `rbacAuthorization`. */
export function lowerCamel(text: string): string {
  const camel = upperCamel(text);
  return camel.charAt(0).toLowerCase() + camel.slice(1);
}
