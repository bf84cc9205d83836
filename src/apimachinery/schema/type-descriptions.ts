/** What is said of the types of a package for people, by their short names. It stands beside `types.ts`. */
export type TypeDescriptions = Readonly<Record<string, TypeDescription>>;

export interface TypeDescription {
  /** One or two sentences. When there are none, the ending of the name tells: `PodList`. */
  readonly about?: string;
  /** A sentence or two about each field, by its neutral name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The descriptions of a version that is declared from a sibling: the sibling's, and those of what is its own. */
export function withDescriptions(sibling: TypeDescriptions, own: TypeDescriptions): TypeDescriptions {
  const changed = Object.entries(own).map(([type, { about, fields }]): [string, TypeDescription] => {
    const before = sibling[type];
    const said = about ?? before?.about;
    return [type, { ...(said !== undefined && { about: said }), fields: { ...before?.fields, ...fields } }];
  });
  return { ...sibling, ...Object.fromEntries(changed) };
}
