import type { Naming } from "../../naming/naming.js";
import type { Options } from "../options/options.js";
import type { ServerPki } from "../pki/server-pki.js";

export interface StartMessageParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly port: number;
  readonly kubeconfig: string | undefined;
  /** A URL that opens the console once. */
  readonly consoleLink: string | undefined;
  readonly pki: ServerPki;
}

/** The message after the start: where the server listens, which files it made, what to type next. */
export function startMessage(parts: StartMessageParts): string {
  const { options, naming, port, kubeconfig, consoleLink, pki } = parts;
  const host = options.bindAddress === "" ? "0.0.0.0" : options.bindAddress;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  const lines = [
    `${naming.commandName} is ready on https://${shownHost}:${port} (profile ${naming.profile}, API level ${options.apiLevel})`,
    `  data        ${options.dataDir}`,
    `  pki         ${pki.directory}${pki.fellBack ? ` (${naming.certDirectory} is not writable)` : ""}`,
  ];
  if (consoleLink !== undefined) {
    lines.push(`  console     ${consoleLink}`, "              (can be opened once, within 15 minutes)");
  }
  if (kubeconfig === undefined) {
    lines.push("  kubeconfig  none: the CA of --client-ca-file signs client certificates");
  } else {
    lines.push(
      `  kubeconfig  ${kubeconfig}`,
      "",
      "Try:",
      `  kubectl --kubeconfig ${kubeconfig} get namespaces`,
    );
  }
  return `${lines.join("\n")}\n`;
}
