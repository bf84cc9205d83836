import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes the directory `path` and those above it that are missing, each with `mode`. Throws an `Error` that names the path when it is no
 * directory or cannot be made.
 *
 * Node.js's recursive `mkdir` loops forever if a file system answers ENOENT although the parent exists, as procfs does.
 */
export function makeDirectory(path: string, mode: number): void {
  if (path === "") throw new Error("the name of the directory is empty");
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) makeOne(each, mode);
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory`);
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Another process may have made it meanwhile.
    if (code === "EEXIST" && existsSync(path)) return;
    if (code !== "ENOENT" || !existsSync(dirname(path))) throw error;
    throw new Error(`${path} cannot be made: the file system of ${dirname(path)} takes no directories`, {
      cause: error,
    });
  }
}
