import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hashOfFiles } from "./hash-of-files.mjs";

/**
 * Writes `dist/index.d.cts`: the exported types of the library and what they need, and `dist/index.d.ts`, which exports the same to
 * modules. A CommonJS file may not import the types of a module, but a module those of a CommonJS file. The compiler writes one
 * file per source. A bundler of declarations would need the compiler as a library, which TypeScript 7 does not offer. Does nothing while
 * the sources are unchanged, because the compiler takes half a minute.
 */
const bundled = "dist/index.d.cts";
const ofModule = "dist/index.d.ts";
const madeFrom = "node_modules/.cache/types-made-from";
const sources = hashOfFiles([
  "src",
  "tsconfig.json",
  "tsconfig.types.json",
  "package-lock.json",
  "scripts/bundle-types.mjs",
]);
const isMade = [bundled, ofModule, madeFrom].every((path) => existsSync(path));
if (!isMade || readFileSync(madeFrom, "utf8") !== sources) {
  const emitted = mkdtempSync(join(tmpdir(), "types-"));
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json", "--outDir", emitted], {
      stdio: "inherit",
    });
    writeFileSync(bundled, bundle(join(emitted, "index.d.ts")));
    writeFileSync(ofModule, 'export * from "./index.cjs";\n');
  } finally {
    rmSync(emitted, { recursive: true });
  }
  mkdirSync(dirname(madeFrom), { recursive: true });
  writeFileSync(madeFrom, sources);
}

function bundle(entry) {
  const files = new Map();
  const fileAt = (path) => {
    if (!files.has(path)) files.set(path, readDeclarations(path));
    return files.get(path);
  };
  const taken = new Map();
  const parts = [];
  const exportedNames = fileAt(entry).imports;
  const take = (path, name) => {
    const file = fileAt(path);
    const elsewhere = file.imports.get(name);
    if (elsewhere !== undefined) return take(elsewhere, name);
    const text = file.declarations.get(name);
    if (text === undefined) throw new Error(`${path} does not declare ${name}`);
    const other = taken.get(name);
    if (other === path) return;
    if (other !== undefined) throw new Error(`${name} is declared in ${other} and in ${path}`);
    taken.set(name, path);
    parts.push(exportedNames.has(name) ? exported(text) : text);
    for (const needed of namesIn(text)) {
      if (file.declarations.has(needed) || file.imports.has(needed)) take(path, needed);
    }
  };
  for (const name of exportedNames.keys()) take(entry, name);
  return `${parts.join("\n")}\nexport {};\n`;
}

/** The top-level declarations of an emitted file by name, without `export`, and the files from which it imports other names. */
function readDeclarations(path) {
  const imports = new Map();
  const inline = /\bimport\("([^"]+)"\)\.(\w+)/g;
  const source = readFileSync(path, "utf8").replaceAll(inline, (_, from, name) => {
    imports.set(name, resolve(path, from));
    return name;
  });
  const declarations = new Map();
  let comment = "";
  // No line inside a declaration begins with one of these words. Each text ends with the comment of the next declaration.
  for (const text of source.split(/^(?=(?:export|import|declare|interface|type)\b)/m)) {
    const ownComment = comment;
    comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text)?.[0] ?? "";
    const code = text.slice(0, text.length - comment.length);
    const list = /^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/.exec(code);
    for (const item of list?.[1].split(",") ?? []) {
      const name = item.trim().replace(/^type /, "");
      if (/ as /.test(name)) throw new Error(`${path} renames ${name}`);
      if (name !== "") imports.set(name, resolve(path, list[2]));
    }
    const name = /^(?:export )?(?:declare )?(?:interface|type|const|function|class) (\w+)/.exec(code)?.[1];
    if (name !== undefined) declarations.set(name, ownComment + code.replace(/^export /, ""));
  }
  return { imports, declarations };
}

function resolve(path, specifier) {
  if (!specifier.startsWith(".")) return specifier;
  return join(dirname(path), specifier.replace(/\.(js|ts)$/, ".d.ts"));
}

function exported(text) {
  return text.replace(/^(?=(?:declare|interface|type) )/m, "export ");
}

function namesIn(text) {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\/|"[^"\n]*"/g, "");
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}
