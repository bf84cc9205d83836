import type { TokenMechanism } from "../../access/authentication/authenticator.js";
import {
  type BootstrapSecret,
  createBootstrapTokenMechanism,
} from "../../access/authentication/bootstrap-token.js";
import type { Secret } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import type { Logger } from "../../telemetry/logger.js";

/** `--enable-bootstrap-token-auth`: reads the secrets of the system namespace. `secrets` finds their registry. */
export function bootstrapTokens(
  naming: Naming,
  secrets: () => Pick<ResourceRegistry, "get">,
  log: Logger,
): TokenMechanism {
  return createBootstrapTokenMechanism({
    secretType: `bootstrap.${naming.domain}/token`,
    secret: (name) => find(secrets(), naming.systemNamespace, name),
    now: () => new Date(),
    report: (name, problem) =>
      log.verbose(
        { level: 3, file: "server/authentication/bootstrap-tokens" },
        "bootstrap token not accepted",
        { secret: name, problem },
      ),
  });
}

/** Reads from the cache, so that guessing tokens causes no load on the store. */
async function find(
  secrets: Pick<ResourceRegistry, "get">,
  namespace: string,
  name: string,
): Promise<BootstrapSecret | undefined> {
  try {
    const object = (await secrets.get(namespace, name, { kind: "any" })).decode();
    const { type = "", data = {}, metadata } = object as Secret; // the registry of secrets holds nothing else
    const entries = Object.entries(data).map(
      ([key, value]) => [key, Buffer.from(value, "base64").toString("utf8")] as const,
    );
    return { type, isBeingDeleted: metadata.deletionTimestamp !== undefined, data: new Map(entries) };
  } catch (error) {
    if (isStatus(error, "NotFound")) return undefined;
    throw error;
  }
}
