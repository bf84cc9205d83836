/** Types by their short name. */
export type TypeDescriptions = Readonly<Record<string, TypeDescription>>;

export interface TypeDescription {
  /** One or two sentences. When there are none, the ending of the name tells: `PodList`. */
  readonly about?: string;
  /** A sentence or two about each field, by its neutral name. */
  readonly fields?: Readonly<Record<string, string>>;
}
