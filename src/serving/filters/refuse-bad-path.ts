import type { Filter } from "./filter.js";

/** Answers 400 to requests whose path cannot be decoded. */
export const refuseBadPath: Filter = (context, next) =>
  context.pathError === undefined ? next(context) : Promise.reject(context.pathError);
