import { existsSync } from "node:fs";

/**
 * A file or folder that the build places beside the bundle. `place` is `process.env.ORCH_…`, which the build replaces by the path
 * relative to the bundle. Undefined if the server runs from source, or its bundle was bundled again without the file.
 */
export function builtFile(place: string | undefined): URL | undefined {
  if (place === undefined) return undefined;
  const url = new URL(place, import.meta.url);
  return existsSync(url) ? url : undefined;
}
