import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Bundles undici's connection pool without its parser and without `fetch`, which the pool needs only for form bodies. */
export const connectionPool = {
  name: "connection pool",
  setup({ onResolve }) {
    onResolve({ filter: /\/web\/|-wasm\.js$/ }, ({ path, resolveDir }) => {
      const inside = join(resolveDir, path).replaceAll("\\", "/").split("/node_modules/undici/")[1];
      return inside === undefined ? undefined : { path: `undici/${inside}`, external: true };
    });
  },
};

/** Matches the source files that compile regular expressions. */
const usersOfPatterns = /src.(apimachinery|apis).*(pattern|regular-expression)\.ts$/;

/**
 * The engine for regular expressions is loaded with `createRequire`, because synchronous validation needs it, and most servers never do.
 * Inside the script it is still loaded on demand, but from V8's code cache.
 */
export const patternEngine = {
  name: "pattern engine",
  setup({ onLoad, onEnd }) {
    const asked = new Set();
    onLoad({ filter: usersOfPatterns }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replaceAll('createRequire(import.meta.url)("re2js")', 'require("re2js")');
      // Only imports of values count, not of types.
      if (contents !== source) asked.add(path);
      return { loader: "ts", contents };
    });
    onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.inputs ?? {})) {
        if (!path.startsWith("src/") || !/createRequire\b[^;]*"re2js"/.test(readFileSync(path, "utf8")))
          continue;
        if ([...asked].some((one) => one.replaceAll("\\", "/").endsWith(path))) continue;
        throw new Error(
          `${path} asks for re2js in a way that scripts/bundle-plugins.mjs does not know: it would load slowly`,
        );
      }
      if (asked.size === 0)
        throw new Error("nothing asks for re2js as scripts/bundle-plugins.mjs expects it");
    });
  },
};

/** The JavaScript of lmdb, in the variant that finds its native binary relative to its own file. */
const engineFile = createRequire(import.meta.url).resolve("lmdb");

/** Bundles the JavaScript of lmdb, the store's engine. The native binary stays in its package. */
export const storeEngine = {
  name: "store engine",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lmdb$/ }, () => ({ path: engineFile }));
    onLoad({ filter: /lmdb[\\/]dist[\\/]index\.cjs$/ }, ({ path }) => ({
      // Computed at run time: a literal would be a path of the build machine.
      contents: `var __filename = require.resolve(["lmdb"][0]);${readFileSync(path, "utf8")}`,
    }));
  },
};
