import { existsSync } from "node:fs";

/**
 * A file or folder that the build puts beside the bundle. `place` is a variable `process.env.ORCH_…`, for which the build writes the path
 * from the bundle. Undefined when the server runs from its source, or its bundle was bundled again without the file.
 */
export function builtFile(place: string | undefined): URL | undefined {
  if (place === undefined) return undefined;
  const url = new URL(place, import.meta.url);
  return existsSync(url) ? url : undefined;
}
