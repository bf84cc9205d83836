import type { SecretTokenTracking } from "../../access/authentication/service-account-settings.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { serverWrite } from "../../controllers/controller.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Logger } from "../../telemetry/logger.js";
import { type Clock, dateOf } from "../../time/clock.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { secretTokenNames } from "./secret-token-names.js";

export interface TrackingParts {
  readonly builtin: BuiltinRegistries;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly log: Logger;
  readonly clock: Clock;
  readonly used: SecretTokenTracking["used"];
}

export function tracksSecretTokens(gates: FeatureGates): boolean {
  return isAtLeast(gates.level, "1.26") && gates.isEnabled("LegacyServiceAccountTokenTracking");
}

/** Tracks the use of tokens in secrets, at levels that do so. */
export function secretTokenTracking(parts: TrackingParts): SecretTokenTracking | undefined {
  const { builtin, naming, gates, log, clock, used } = parts;
  if (!tracksSecretTokens(gates)) return undefined;
  const { lastUsedLabel, invalidSinceLabel } = secretTokenNames(naming);
  const context = { now: dateOf(clock), fieldManager: naming.commandName };
  /** Secrets that are being labelled: many requests arrive with one token. */
  const underWay = new Set<string>();
  return {
    lastUsedLabel,
    invalidSinceLabel: isAtLeast(gates.level, "1.28") ? invalidSinceLabel : undefined,
    used,
    label({ namespace, name, uid }, date) {
      const key = `${namespace}/${name}`;
      if (underWay.has(key)) return;
      underWay.add(key);
      builtin("secrets")
        .change(
          serverWrite(context, namespace),
          name,
          ({ metadata }) => {
            metadata.labels = { ...metadata.labels, [lastUsedLabel]: date };
          },
          { uid },
        )
        .catch((error: unknown) =>
          log.warn("the secret of a used token could not be labelled", {
            secret: key,
            problem: messageOf(error),
          }),
        )
        .finally(() => underWay.delete(key));
    },
  };
}
