/** One line about types, by short name or, where two kinds share it, by full name. */
export const typeDescriptions: ReadonlyMap<string, string> = new Map([]);
