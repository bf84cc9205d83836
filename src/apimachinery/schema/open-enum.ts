/**
 * A string with the values `T` that validation accepts. Stays open, because decoders accept any string: a request is validated after
 * decoding, and a store may hold values of another version.
 */
export type OpenEnum<T extends string> = T | (string & Record<never, never>);
