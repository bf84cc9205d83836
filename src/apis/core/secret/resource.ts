import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Secret } from "../../gen/core-v1.js";
import { secretColumns } from "./columns.js";
import { setSecretDefaults } from "./defaults.js";
import { keyPairProblem } from "./key-pair.js";
import { validateSecret, validateSecretUpdate } from "./validation.js";

export function secrets(context: ApiContext): ResourceDefinition<Secret> {
  const { naming } = context;

  function keyPairWarnings({ type, data }: Secret): string[] {
    if (type !== `${naming.domain}/tls`) return [];
    const problem = keyPairProblem(data?.["tls.crt"] ?? "", data?.["tls.key"] ?? "");
    return problem === undefined ? [] : [problem];
  }

  return defineResource<Secret>({
    group: "",
    resource: "secrets",
    kind: "Secret",
    namespaced: true,
    versions: [
      hub<Secret>(context, { version: "v1", type: "core/v1.Secret", setDefaults: setSecretDefaults }),
    ],
    storage: { version: "v1", prefix: "/secrets", decidesAccess: true },
    strategy: strategy<Secret>({
      prepareForUpdate(_context, object, old) {
        if ((object.type ?? "") === "") object.type = old.type;
      },
      ...(isAtLeast(context.level, "1.27") && {
        warningsOnCreate: (_context, object) => keyPairWarnings(object),
        warningsOnUpdate: (_context, object) => keyPairWarnings(object),
      }),
      validate: (_context, object) => validateSecret(context, object),
      validateUpdate: (_context, object, old) => validateSecretUpdate(context, object, old),
    }),
    selectableFields: { names: ["type"], values: (object) => ({ type: object.type ?? "" }) },
    columns: secretColumns,
  });
}
