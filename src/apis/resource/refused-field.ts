/** The error for a field that slices cannot be selected by. */
export function refusedSliceField(group: string): (field: string, version: string) => string {
  return (field, version) =>
    `field label not supported for ${group}/${version}, Kind=ResourceSlice: ${field}`;
}
