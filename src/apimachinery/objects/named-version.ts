/** Whether a write applies to whatever version is current. Kubernetes parses the version as a number, and takes zero for none. */
export function namesNoVersion(resourceVersion = ""): boolean {
  return /^0*$/.test(resourceVersion);
}
