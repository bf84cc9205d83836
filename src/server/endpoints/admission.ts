import { setTimeout } from "node:timers/promises";
import { accountGroups, accountUserName } from "../../access/authentication/service-account-claims.js";
import { type AdmissionChain, createAdmissionChain } from "../../admission/chain/admission-chain.js";
import { type NamespaceLister, namespaceView } from "../../admission/chain/namespace-lister.js";
import type { PluginConfigurations } from "../../admission/configuration/admission-configuration.js";
import { createPlugins } from "../../admission/plugin-table.js";
import type {
  AdmissionAuthorizer,
  ClusterData,
  ImageReviewer,
  PluginContext,
} from "../../admission/plugins/plugin-context.js";
import type { AccessCheck } from "../../admission/policies/policy-cluster.js";
import type { PolicyObserver } from "../../admission/policies/policy-observer.js";
import type { WebhookCaller, WebhookParts, WebhookType } from "../../admission/webhooks/webhook-caller.js";
import { asError } from "../../apimachinery/errors/as-error.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { jsonWithType } from "../../apimachinery/objects/json-with-type.js";
import { type AccessSelectors, accessSelectors } from "../../apimachinery/requests/access-selectors.js";
import { type Authorizer, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import {
  fieldRequirementsOf,
  labelRequirementsOf,
} from "../../apimachinery/selectors/access-requirements.js";
import type { ControllerContext } from "../../controllers/controller.js";
import { createIfMissing } from "../../controllers/create-if-missing.js";
import { writeStatus } from "../../controllers/status-write.js";
import { runInTurn } from "../../event-loop/turns.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionMetrics } from "../metrics/admission-metrics.js";
import type { PodSecurityMetrics } from "../metrics/pod-security-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { admissionPluginSelection } from "../options/groups/admission.js";
import type { Options } from "../options/options.js";
import type { AdmissionManifests } from "./admission-manifests.js";
import { paramSources } from "./param-sources.js";
import { systemRandom } from "./random.js";

export interface AdmissionParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly configurations: PluginConfigurations;
  readonly context: ControllerContext;
  readonly informers: Informers;
  readonly authorizer: Authorizer;
  readonly webhookClients: Readonly<Record<WebhookType, WebhookCaller>>;
  readonly admissionMetrics: AdmissionMetrics;
  readonly podSecurityMetrics: PodSecurityMetrics;
  readonly policyMetrics: PolicyObserver;
  readonly imageReviewer: ImageReviewer | undefined;
  readonly manifests: AdmissionManifests;
}

/** The enabled plugins and the informers they use. */
export function createAdmission(parts: AdmissionParts): AdmissionChain {
  const { options, naming, configurations } = parts;
  const selection = { level: options.apiLevel, ...admissionPluginSelection(options) };
  const cluster = clusterData(parts);
  const pluginContext: PluginContext = {
    naming,
    options,
    namespaces: namespaceLister(cluster),
    cluster,
    authorizer: admissionAuthorizer(parts),
    podSecurityObserver: parts.podSecurityMetrics,
    policyObserver: parts.policyMetrics,
    imageReviewer: parts.imageReviewer,
    webhooks: { admit: webhookParts(parts, "admit"), validating: webhookParts(parts, "validating") },
    manifests: (plugin) => parts.manifests.of(plugin),
    level: options.apiLevel,
    isEnabled: parts.gates.isEnabled,
    now: () => Date.now(),
    nameSuffix: () => systemRandom.nameSuffix(),
    runWork: runInTurn,
    delay: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
  };
  return createAdmissionChain(
    createPlugins(selection, configurations, pluginContext),
    parts.admissionMetrics,
  );
}

function webhookParts(
  { webhookClients, admissionMetrics, context, options }: AdmissionParts,
  type: WebhookType,
): WebhookParts {
  return {
    caller: webhookClients[type],
    takesBadPatchesForFailures: isAtLeast(options.apiLevel, "1.34"),
    uid: () => systemRandom.uid(),
    now: () => performance.now(),
    observe: (outcome) => admissionMetrics.webhook(outcome),
    failedOpen: ({ name, configuration }, reason) =>
      context.log.warn("an admission webhook failed and was ignored", { name, configuration, reason }),
    failedClosed: ({ name, configuration }, error) => {
      const { message, stack } = asError(error);
      context.log.warn("an admission webhook failed, so the request was refused", {
        name,
        configuration,
        reason: message,
      });
      context.log.verbose({ level: 4, file: "server/endpoints/admission" }, stack ?? "");
    },
  };
}

/** Lookups by the caches and the store of this server. */
export function clusterData({
  context,
  informers,
}: Pick<AdmissionParts, "context" | "informers">): ClusterData {
  const { builtin } = context;
  return {
    // A client that has created a namespace or a limit range relies on it at once.
    follow: (of, { view, indexes }) =>
      informers.add({ source: () => builtin(of), view, indexes, immediate: true }),
    async read(of, namespace, name) {
      return (await builtin(of).find(namespace, name, { kind: "mostRecent" }))?.decode();
    },
    async list(of, namespace) {
      const { items } = await builtin(of).list({ prefix: `${namespace}/`, at: { kind: "any" }, limit: 0 });
      return items;
    },
    resourcesOf: ({ group, version, kind }) =>
      [...context.registries()]
        .map(({ definition }) => definition)
        .filter((found) => found.group === group && found.kind === kind)
        .filter(({ versions }) => versions.some((served) => served.version === version)),
    async namespaceObject(name) {
      const found = name === "" ? undefined : await builtin("namespaces").find("", name, { kind: "any" });
      return found === undefined
        ? null
        : jsonWithType(found.decode(), { kind: "Namespace", apiVersion: "v1" });
    },
    params: paramSources(context),
    create: (of, namespace, object) => createIfMissing(context, of, namespace, object),
    updateStatus: (of, namespace, name, change) =>
      writeStatus(context, builtin(of), {
        ...{ namespace, name, change },
        as: "system:apiserver",
        fieldManager: context.fieldManager,
      }),
  };
}

function namespaceLister(cluster: ClusterData): NamespaceLister {
  const known = cluster.follow("namespaces", { view: (stored) => namespaceView(stored.decode()) });
  return {
    get: (name) => known.get(name),
    async read(name) {
      const object = await cluster.read("namespaces", "", name);
      return object && namespaceView(object);
    },
  };
}

function admissionAuthorizer({ naming, authorizer }: AdmissionParts): AdmissionAuthorizer {
  return {
    decide(check, signal) {
      const { user, verb, path, group, resource, subresource, namespace, name } = check;
      const asked =
        path === undefined
          ? {
              ...{ apiGroup: group, apiVersion: "*", resource, subresource, namespace, name },
              selectors: checkedSelectors(check),
            }
          : { isResourceRequest: false, path, resource: "" };
      const who = "groups" in user ? user : accountUser(user.namespace, user.name);
      return authorizer.authorize({ user: who, info: resourceAccess({ verb, ...asked }), signal });
    },
    async authorize(user, { group, version = "*", ...asked }, signal) {
      const info = resourceAccess({ ...asked, apiGroup: naming.group(group), apiVersion: version });
      const { kind, reason } = await authorizer.authorize({ user, info, signal });
      return { isAllowed: kind === "allow", reason };
    },
  };
}

/** Selectors of an expression; one that cannot be parsed is left out. */
function checkedSelectors({
  fieldSelector = "",
  labelSelector = "",
}: AccessCheck): AccessSelectors | undefined {
  if (fieldSelector === "" && labelSelector === "") return undefined;
  return accessSelectors(
    fieldRequirementsOf(fieldSelector).requirements,
    labelRequirementsOf(labelSelector).requirements,
  );
}

function accountUser(namespace: string, name: string): UserInfo {
  return {
    name: accountUserName(namespace, name),
    uid: "",
    groups: accountGroups(namespace),
    extra: {},
  };
}
