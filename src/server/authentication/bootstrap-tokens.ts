import type { TokenMechanism } from "../../access/authentication/authenticator.js";
import {
  type BootstrapSecret,
  createBootstrapTokenMechanism,
} from "../../access/authentication/bootstrap-token.js";
import type { Secret } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { Logger } from "../../telemetry/logger.js";
import { type Clock, dateOf } from "../../time/clock.js";

/** `--enable-bootstrap-token-auth`: reads the secrets of the system namespace. `secrets` finds their registry. */
export function bootstrapTokens(
  naming: Naming,
  secrets: () => Pick<ResourceRegistry<Secret>, "find">,
  log: Logger,
  clock: Clock,
): TokenMechanism {
  return createBootstrapTokenMechanism({
    secretType: `bootstrap.${naming.domain}/token`,
    secret: (name) => find(secrets(), naming.systemNamespace, name),
    now: dateOf(clock),
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
  secrets: Pick<ResourceRegistry<Secret>, "find">,
  namespace: string,
  name: string,
): Promise<BootstrapSecret | undefined> {
  const secret = (await secrets.find(namespace, name, { kind: "any" }))?.decode();
  if (secret === undefined) return undefined;
  const { type = "", data = {}, metadata } = secret;
  const entries = Object.entries(data).map(
    ([key, value]) => [key, Buffer.from(value, "base64").toString("utf8")] as const,
  );
  return { type, isBeingDeleted: metadata.deletionTimestamp !== undefined, data: new Map(entries) };
}
