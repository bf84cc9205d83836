import type { Naming } from "../../naming/naming.js";
import { defaultOptions } from "../options/options.js";
import { defaultKubeconfigPath } from "../pki/server-pki.js";

/** Options of commands that call a running server. */
export interface ClientCommandParts {
  readonly naming: Naming;
  /** Where clients look for their configuration; unset or empty: nowhere. */
  readonly kubeconfig: string | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** For `parseArgs`. */
export const connectionOptions = {
  kubeconfig: { type: "string" },
  "data-dir": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Path of the client configuration to use. */
export function clientConfigPath(
  values: { readonly kubeconfig?: string | undefined; readonly "data-dir"?: string | undefined },
  { naming, kubeconfig }: Pick<ClientCommandParts, "naming" | "kubeconfig">,
): string {
  const given = values.kubeconfig ?? (kubeconfig || undefined);
  return given ?? defaultKubeconfigPath(values["data-dir"] ?? defaultOptions(naming).dataDir);
}

/** `whose`: a sentence on the credentials. `more`: further options. */
export function connectionHelp(naming: Naming, whose: string, more = ""): string {
  return `Options:
${more}  --kubeconfig FILE (default: $KUBECONFIG, then the administrator's of --data-dir)
      ${whose}
  --data-dir DIR (default ${defaultOptions(naming).dataDir})
      Of the server.
`;
}
