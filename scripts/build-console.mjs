import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = "dist/console";

/**
 * Builds the console into `dist/console`: modules and styles with a hash of their content in their names, the page that loads them, and the
 * licenses of their packages. All files are compressed as they are sent.
 */
export async function buildConsole() {
  const { metafile, outputFiles } = await bundle();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name, contents) =>
    writeFileSync(join(folder, `${name}.gz`), gzipSync(contents, { level: 9 }));
  for (const { path, contents } of outputFiles) write(basename(path), contents);
  const entry = (extension) => {
    const name = outputFiles
      .map(({ path }) => basename(path))
      .find((file) => file.startsWith("console-") && file.endsWith(extension));
    if (name === undefined) throw new Error(`the console has no entry with ${extension}`);
    return name;
  };
  const page = readFileSync("console/index.html", "utf8")
    .replace("SCRIPT", `assets/${entry(".js")}`)
    .replace("STYLE", `assets/${entry(".css")}`);
  write("index.html", page);
  write("icon.svg", readFileSync("console/icon.svg"));
  write("licenses.txt", licenses(Object.keys(metafile.inputs)));
}

/** The names of the packages in the bundle. */
export async function packagesOfConsole() {
  const { metafile } = await bundle();
  return packagesIn(Object.keys(metafile.inputs)).map((path) => path.replace(/^.*node_modules\//, ""));
}

function bundle() {
  return build({
    entryPoints: { console: "console/src/main.tsx" },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["chrome111", "firefox115", "safari16.4"],
    tsconfig: "console/tsconfig.json",
    jsx: "automatic",
    jsxImportSource: "preact",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
}

/** The folders of those packages. */
function packagesIn(inputs) {
  const found = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(found)].sort();
}

/** The license texts of the packages that the modules come from. */
function licenses(inputs) {
  return packagesIn(inputs)
    .map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each));
      if (file === undefined) throw new Error(`${dirname(path)} has no license`);
      return `${name} ${version}\n\n${readFileSync(join(path, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
