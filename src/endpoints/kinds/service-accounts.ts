import type { TokenRequest } from "../../apis/gen/authentication-v1.js";
import { createServiceAccountToken } from "../operations/service-account-token.js";
import type { KindBehaviour } from "./kind-behaviour.js";

export const serviceAccounts: KindBehaviour = {
  group: "",
  resource: "serviceaccounts",
  operations: ({ naming, schemas, settings, admission, builtin, tokens, level, isEnabled }) =>
    tokens === undefined
      ? {}
      : {
          "token/create": createServiceAccountToken({
            ...tokens,
            settings,
            admission,
            codec: schemas.codec<TokenRequest>("authentication/v1.TokenRequest"),
            group: naming.group("authentication"),
            serviceAccounts: () => builtin("serviceaccounts"),
            pods: () => builtin("pods"),
            secrets: () => builtin("secrets"),
            nodes: () => builtin("nodes"),
            level,
            isEnabled,
            annotationPrefix: `authentication.${naming.domain}`,
          }),
        },
};
