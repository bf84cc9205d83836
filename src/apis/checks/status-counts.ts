import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";

type Count = number | bigint | undefined;

/** Requires that none of `counts` exceeds `limit`. */
export function validateAtMost(
  limit: Count,
  counts: { readonly [name: string]: Count },
  why: string,
  path: FieldPath,
): FieldError[] {
  return Object.entries(counts).flatMap(([name, count]) =>
    (count ?? 0) > (limit ?? 0) ? [invalid(path.child(name), count ?? 0, why)] : [],
  );
}

export function validateCollisionCount(
  status: { readonly collisionCount?: number | undefined },
  old: { readonly collisionCount?: number | undefined },
  path: FieldPath,
): FieldError[] {
  const count = status.collisionCount ?? 0;
  if (
    old.collisionCount === undefined ||
    (status.collisionCount !== undefined && count >= old.collisionCount)
  )
    return [];
  return [invalid(path.child("collisionCount"), count, "cannot be decremented")];
}
