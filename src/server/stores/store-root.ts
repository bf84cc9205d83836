import { posix } from "node:path";
import type { Options } from "../options/options.js";

/** `--store-prefix` as an absolute path without a slash at its end: `/registry`. */
export function storeRoot({ storePrefix }: Pick<Options, "storePrefix">): string {
  return posix.join("/", storePrefix).replace(/\/$/, "");
}
