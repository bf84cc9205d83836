/** Formats of text in schemas that are named after the vendor, without hyphens. A schema may use either profile's with any server. */
const vendorFormats: ReadonlyMap<string, "shortname" | "longname"> = new Map([
  ["orchshortname", "shortname"],
  ["orchlongname", "longname"],
  ["k8sshortname", "shortname"],
  ["k8slongname", "longname"],
]);

/** The server's name for a format without hyphens. */
export function neutralFormat(format: string): string {
  return vendorFormats.get(format) ?? format;
}
