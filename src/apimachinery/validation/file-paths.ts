/** Paths of files within a volume. */

export function hasBacksteps(path: string): boolean {
  return /(?:^|\/)\.\.(?:\/|$)/.test(path);
}

/** What is wrong with a path that leaves the directory it is joined to; nothing when it stays, as for all functions here. */
export function descendingPathProblems(path: string): string[] {
  const isAbsolute = path.startsWith("/") ? ["must be a relative path"] : [];
  return [...isAbsolute, ...backstepProblems(path)];
}

export function backstepProblems(path: string): string[] {
  return hasBacksteps(path) ? ["must not contain '..'"] : [];
}

/** Names that start with two dots are reserved for the volume's own directories. */
export function filePathProblems(path: string): string[] {
  const problems = descendingPathProblems(path);
  if (path.startsWith("..") && !path.startsWith("../")) problems.push("must not start with '..'");
  return problems;
}
