import { existsSync } from "node:fs";
import type { Naming } from "../../naming/naming.js";
import { type ClientConfig, ClientConfigFile } from "../../remote/client-config.js";
import { defaultOptions } from "../options/options.js";
import { defaultKubeconfigPath } from "../pki/server-pki.js";
import type { CommandEnvironment } from "../settings/command-environment.js";

/** The options of commands that call a running server, for `parseArgs`. */
export const connectionOptions = {
  kubeconfig: { type: "string" },
  "data-dir": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** The client configuration to use. Rejects with an `Error` that names its file. */
export async function readClientConfig(
  values: { readonly kubeconfig?: string | undefined; readonly "data-dir"?: string | undefined },
  { naming, kubeconfig }: Pick<CommandEnvironment, "naming" | "kubeconfig">,
): Promise<ClientConfig> {
  const given = values.kubeconfig ?? (kubeconfig || undefined);
  const path = given ?? defaultKubeconfigPath(values["data-dir"] ?? defaultOptions(naming).dataDir);
  if (!existsSync(path)) {
    throw new Error(
      `${path}: no such kubeconfig: name one with --kubeconfig, or the server's data directory with --data-dir`,
    );
  }
  return await (await ClientConfigFile.read(path)).current();
}

/** `whose`: a sentence about the credentials. `more`: further options. */
export function connectionHelp(naming: Naming, whose: string, more: string): string {
  return `Options:
${more}  --kubeconfig FILE (default $KUBECONFIG, then admin.kubeconfig in --data-dir)
      ${whose}
  --data-dir DIR (default ${defaultOptions(naming).dataDir})
      Data directory of the server.
`;
}
