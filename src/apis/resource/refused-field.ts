/** What is said of a field that slices are not selected by. */
export function refusedSliceField(group: string): (field: string, version: string) => string {
  return (field, version) =>
    `field label not supported for ${group}/${version}, Kind=ResourceSlice: ${field}`;
}
