import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiContext } from "../definition/api-context.js";
import { strategy } from "../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../definition/columns.js";
import { defineResource, hub } from "../definition/define-resource.js";
import { generationRules } from "../definition/generation.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import type { TableColumns } from "../definition/table-columns.js";
import type { MutatingWebhook, ValidatingWebhook } from "../gen/admissionregistration-v1.js";
import { setWebhookDefaults } from "./defaults.js";
import { withReservedNames } from "./reserved-names.js";
import { validateWebhooks, validateWebhooksUpdate } from "./validation.js";

interface WebhookConfiguration<W> extends ApiObject {
  webhooks?: W[] | undefined;
}

/** Both kinds are lists of webhooks. */
export function webhookConfigurations<T extends WebhookConfiguration<MutatingWebhook | ValidatingWebhook>>(
  context: ApiContext,
  kind: "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration",
): ResourceDefinition<T> {
  const resource = `${kind.toLowerCase()}s`;
  const isMutating = kind === "MutatingWebhookConfiguration";
  return defineResource<T>({
    group: context.naming.group("admissionregistration"),
    resource,
    kind,
    namespaced: false,
    categories: ["api-extensions"],
    versions: [
      hub<T>(context, {
        version: "v1",
        type: `admissionregistration/v1.${kind}`,
        setDefaults(object) {
          for (const webhook of object.webhooks ?? []) setWebhookDefaults(webhook, isMutating);
        },
      }),
    ],
    storage: { version: "v1", prefix: `/${resource}` },
    strategy: strategy<T>({
      allowUnconditionalUpdate: false,
      ...withReservedNames<T>(
        context,
        generationRules<T>((object) => object.webhooks, {
          validate: (_context, object) => validateWebhooks(object.webhooks ?? [], context),
          validateUpdate: (_context, object, old) =>
            validateWebhooksUpdate(object.webhooks ?? [], old.webhooks ?? [], context),
        }),
      ),
    }),
    columns,
  });
}

const columns: TableColumns<WebhookConfiguration<unknown>> = {
  columns: [nameColumn, column("Webhooks", "integer", "Number of webhooks."), ageColumn],
  cells: (object, now) => [object.metadata.name ?? "", (object.webhooks ?? []).length, ageCell(object, now)],
};
