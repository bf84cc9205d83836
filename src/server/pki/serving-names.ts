import { isIP } from "node:net";
import type { Naming } from "../../naming/naming.js";

export interface ServingNamesOptions {
  readonly naming: Naming;
  /** `cluster.local` */
  readonly clusterDomain: string;
  readonly hostName: string;
  /** Further names and addresses: external host name, bind and advertise address, first service IP. May be empty. */
  readonly others: readonly (string | undefined)[];
}

/** Every name by which clients reach the server: from the cluster, this machine and outside. */
export function servingNames(options: ServingNamesOptions): readonly string[] {
  const [longest] = options.naming.serviceHostNames;
  const inCluster =
    longest === undefined ? [] : [...options.naming.serviceHostNames, `${longest}.${options.clusterDomain}`];
  const given = [options.hostName, ...options.others].filter((name) => name !== undefined);
  const usable = given.filter((name) => !isUnspecified(name) && (isIP(name) !== 0 || isHostName(name)));
  return [...new Set([...inCluster, "localhost", ...usable, "127.0.0.1", "::1"])];
}

function isUnspecified(name: string): boolean {
  return name === "" || name === "0.0.0.0" || name === "::";
}

/** A host name may contain characters that a certificate may not. */
function isHostName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9_]([-a-z0-9_.]*[a-z0-9_])?$/i.test(name);
}
