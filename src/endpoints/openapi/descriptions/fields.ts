/** A few words about fields: `Type.field`, or `field` for all types that have it. */
export const fieldDescriptions: ReadonlyMap<string, string> = new Map([]);
