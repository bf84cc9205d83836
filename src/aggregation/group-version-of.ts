/** The group and version of an API service, whose name is the version, a dot, and the group. */
export function groupVersionOf(name: string): { readonly group: string; readonly version: string } {
  const dot = name.indexOf(".");
  return { version: name.slice(0, dot), group: name.slice(dot + 1) };
}
