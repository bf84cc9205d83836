/** Descriptions of a package's types by their short names, for OpenAPI. They stand beside `types.ts`. */
export type TypeDescriptions = Readonly<Record<string, TypeDescription>>;

export interface TypeDescription {
  /** One or two sentences. By default derived from the name: `PodList`. */
  readonly about?: string;
  /** A sentence or two for each field, by its neutral name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The descriptions of a version declared from a sibling: the sibling's, and those of its own types and fields. */
export function withDescriptions(sibling: TypeDescriptions, own: TypeDescriptions): TypeDescriptions {
  const changed = Object.entries(own).map(([type, { about, fields }]): [string, TypeDescription] => {
    const before = sibling[type];
    const said = about ?? before?.about;
    return [type, { ...(said !== undefined && { about: said }), fields: { ...before?.fields, ...fields } }];
  });
  return { ...sibling, ...Object.fromEntries(changed) };
}
