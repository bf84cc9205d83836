import { readFile } from "node:fs/promises";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import {
  type PluginConfigurations,
  readAdmissionConfiguration,
} from "../../admission/configuration/admission-configuration.js";
import { type PluginDeclaration, pluginTable } from "../../admission/plugin-table.js";
import type { WebhookCaller, WebhookType } from "../../admission/webhooks/webhook-caller.js";
import { hasLevel } from "../../apimachinery/levels/api-level.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { Informers } from "../../informers/informers.js";
import type { FaultEngine } from "../../lab/faults/fault-engine.js";
import type { Naming } from "../../naming/naming.js";
import { ClientConfigFile } from "../../remote/client-config.js";
import { admissionWebhookClients, clientConfigFileOf } from "../connections/admission-webhooks.js";
import { delayedWebhooks, type WebhookDelay } from "../connections/delayed-webhooks.js";
import { openImagePolicyWebhook } from "../connections/image-policy-webhook.js";
import type { ProxyClientCertificate } from "../connections/proxy-client-certificate.js";
import type { WebhookDials } from "../connections/webhook-server.js";
import type { Foundation } from "../foundation/foundation.js";
import { AdmissionMetrics } from "../metrics/admission-metrics.js";
import { PodSecurityMetrics } from "../metrics/pod-security-metrics.js";
import { policyMetrics } from "../metrics/policy-metrics.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { createAdmission } from "./admission.js";
import { AdmissionManifests } from "./admission-manifests.js";

export interface AdmissionComposition extends Foundation {
  readonly schemas: SchemaRegistry;
  readonly context: ControllerContext;
  readonly informers: Informers;
  readonly authorizer: Authorizer;
  readonly webhookDials: WebhookDials;
  readonly proxyClientCertificate: ProxyClientCertificate;
}

export interface ComposedAdmission {
  readonly admission: AdmissionChain;
  /** Start them when the built-in kinds are published. */
  readonly manifests: AdmissionManifests;
}

/** The admission plugins with their dependencies: webhooks, and files that the options name. */
export async function composeAdmission(parts: AdmissionComposition): Promise<ComposedAdmission> {
  const { options, naming, log, closing, metrics, schemas, context } = parts;
  const configurations = await loadAdmissionConfigurations(options, naming);
  const imageReviewer = await closing.opened(
    openImagePolicyWebhook(options, { configurations, schemas, log }),
    (opened) => opened?.close(),
  );
  const webhookClients = admissionWebhookClients(
    {
      codecOf: (version) => schemas.codec(`admission/${version}.AdmissionReview`),
      dials: parts.webhookDials,
      certificate: parts.proxyClientCertificate,
    },
    configurations,
  );
  for (const clients of Object.values(webhookClients)) closing.add(() => clients.close());
  const manifests = new AdmissionManifests({ ...parts, configurations, builtin: context.builtin });
  const admission = createAdmission({
    ...parts,
    manifests,
    configurations,
    webhookClients: parts.faults === undefined ? webhookClients : delayed(webhookClients, parts.faults),
    admissionMetrics: new AdmissionMetrics(metrics),
    podSecurityMetrics: new PodSecurityMetrics(metrics, options.apiLevel),
    policyMetrics: policyMetrics(metrics, options.apiLevel),
    imageReviewer,
  });
  return { admission, manifests };
}

/** Reads the file of `--admission-control-config-file`. Rejects with an `Error` that names the option. */
async function loadAdmissionConfigurations(options: Options, naming: Naming): Promise<PluginConfigurations> {
  const path = options.admissionControlConfigFile;
  if (path === undefined) return new Map();
  return await forOption("admission-control-config-file", naming, async () => {
    const configurations = await readAdmissionConfiguration(path, {
      group: naming.group("apiserver.config"),
      alphaGroup: `apiserver.${naming.groupDomain}`,
      plugins: pluginTable.map((plugin: PluginDeclaration) => ({
        ...plugin,
        isConfigurable:
          plugin.isConfigurable === true && hasLevel({ since: plugin.configurableSince }, options.apiLevel),
      })),
      readFile: (name) => readFile(name),
    });
    for (const plugin of ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"]) {
      const file = clientConfigFileOf(configurations.get(plugin));
      if (file !== undefined) await ClientConfigFile.read(file);
    }
    return configurations;
  });
}

/** Lets fault rules of a lab delay the answers of webhooks. */
function delayed(
  callers: Readonly<Record<WebhookType, WebhookCaller>>,
  faults: FaultEngine,
): Readonly<Record<WebhookType, WebhookCaller>> {
  const delay: WebhookDelay = (webhook, signal) => faults.beforeWebhook(webhook, signal);
  return {
    admit: delayedWebhooks(callers.admit, delay),
    validating: delayedWebhooks(callers.validating, delay),
  };
}
