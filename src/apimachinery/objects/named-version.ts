/** Whether a write is to apply to whatever version is current. Kubernetes reads versions as numbers, and zero as none. */
export function namesNoVersion(resourceVersion = ""): boolean {
  return /^0*$/.test(resourceVersion);
}
