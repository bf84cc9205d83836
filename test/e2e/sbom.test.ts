import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Part {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly content: string }[];
}

/** Built into the files of the console. */
const inConsole = /^(@codemirror\/|@lezer\/|@preact\/|preact$|uplot$)/;

test("the list of parts names the package and everything that it installs, and nothing else", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const printed = execFileSync(process.execPath, ["scripts/sbom.mjs"], { encoding: "utf8" });
  const { bomFormat, metadata, components } = JSON.parse(printed) as {
    readonly bomFormat: string;
    readonly metadata: { readonly component: Part };
    readonly components: readonly Part[];
  };
  expect(bomFormat).toBe("CycloneDX");
  expect(metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
  const versions = new Map(components.map(({ name, version }) => [name, version]));
  for (const [name, version] of Object.entries<string>({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
  }))
    expect([name, versions.get(name)]).toEqual([name, version]);
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const name of Object.keys(manifest.devDependencies)) {
    const isForDevelopmentAlone = packages[`node_modules/${name}`].dev === true && !inConsole.test(name);
    expect([name, versions.has(name)]).toEqual([name, !isForDevelopmentAlone]);
  }
  for (const { purl, hashes } of components)
    expect([purl, hashes.length]).toEqual([expect.stringMatching(/^pkg:npm\//), 1]);
});
