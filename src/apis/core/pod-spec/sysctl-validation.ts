import type { PodSpec } from "../../gen/core-v1.js";

/** Sysctls that are namespaced, by prefix. */
const ipcParameters = ["kernel.sem", "kernel.shm", "kernel.msg", "fs.mqueue."];
const networkParameters = ["net."];

/** Whether the sysctl belongs to a namespace that the pod shares with its host, and which field shares it. */
export function hostNamespaceOfSysctl(
  name: string,
  { hostNetwork, hostIPC }: PodSpec,
): "hostNetwork" | "hostIPC" | undefined {
  // The first separator decides whether dots or slashes separate.
  const slash = name.indexOf("/");
  const dot = name.indexOf(".");
  const dotted =
    slash < 0 || (dot >= 0 && dot < slash) ? name : name.replace(/[./]/g, (c) => (c === "/" ? "." : "/"));
  const begins = (prefixes: readonly string[]): boolean =>
    prefixes.some((prefix) => dotted.startsWith(prefix));
  if (hostNetwork === true && begins(networkParameters)) return "hostNetwork";
  return hostIPC === true && begins(ipcParameters) ? "hostIPC" : undefined;
}

export function isHostSysctl(name: string, spec: PodSpec): boolean {
  return hostNamespaceOfSysctl(name, spec) !== undefined;
}
