import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Deployment } from "../../gen/apps-v1.js";
import { replicaScale } from "../replica-scale.js";
import { templateRules } from "../template-rules.js";
import { deploymentColumns } from "./columns.js";
import { setDeploymentDefaults } from "./defaults.js";
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from "./validation.js";

export function deployments(context: ApiContext): ResourceDefinition<Deployment> {
  const template = templateRules<Deployment>(context, {
    namesPods: true,
    validate: validateDeployment,
    validateUpdate: validateDeploymentUpdate,
  });
  const main = specStrategy<Deployment>({
    ...template,
    emptyStatus: () => ({}),
    prepareForUpdate(write, object, old) {
      template.prepareForUpdate?.(write, object, old);
      // Controllers copy a deployment's annotations to its replica sets, so a change of annotations counts as well.
      if (!isDeepEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {})) {
        object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
    },
  });
  return defineResource<Deployment>({
    group: "apps",
    resource: "deployments",
    kind: "Deployment",
    namespaced: true,
    shortNames: ["deploy"],
    categories: ["all"],
    versions: [
      hub<Deployment>(context, {
        version: "v1",
        type: "apps/v1.Deployment",
        setDefaults: (object) => setDeploymentDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/deployments" },
    strategy: main,
    subresources: [
      { kind: "scale", name: "scale", verbs: partVerbs, scale: replicaScale<Deployment>() },
      statusPart(main, {
        resetFields: [["spec"], ["metadata", "labels"]],
        prepareForUpdate(_write, object, old) {
          object.metadata.labels = old.metadata.labels;
        },
        validateUpdate: (_write, object, old) => validateDeploymentStatusUpdate(object, old),
      }),
    ],
    columns: deploymentColumns,
  });
}
