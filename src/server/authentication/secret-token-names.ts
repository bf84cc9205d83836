import type { SecretTokenNames } from "../../controllers/secret-token-tracking.js";
import type { Naming } from "../../naming/naming.js";

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
