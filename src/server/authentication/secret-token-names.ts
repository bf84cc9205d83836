import type { TrackingMap } from "../../controllers/secret-token-tracking.js";
import type { Naming } from "../../naming/naming.js";

/** What service account tokens in secrets are recognized by, and where their use is noted. */
export interface SecretTokenNames {
  readonly secretType: string;
  readonly nameAnnotation: string;
  readonly uidAnnotation: string;
  readonly lastUsedLabel: string;
  readonly invalidSinceLabel: string;
  /** Says since when use is noted. */
  readonly map: TrackingMap;
}

export function secretTokenNames({ domain, systemNamespace, commandName }: Naming): SecretTokenNames {
  return {
    secretType: `${domain}/service-account-token`,
    nameAnnotation: `${domain}/service-account.name`,
    uidAnnotation: `${domain}/service-account.uid`,
    lastUsedLabel: `${domain}/legacy-token-last-used`,
    invalidSinceLabel: `${domain}/legacy-token-invalid-since`,
    map: { namespace: systemNamespace, name: `${commandName}-legacy-service-account-token-tracking` },
  };
}
