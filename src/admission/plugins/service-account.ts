import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { type PlacedContainer, placedContainers } from "../../apis/core/pod-spec/containers.js";
import { mirrorServiceAccount } from "../../apis/core/pod-spec/defaults.js";
import type { Pod, ServiceAccount, Volume, VolumeMount } from "../../apis/gen/core-v1.js";
import type { Lister } from "../../informers/informer.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import type { PluginContext } from "./plugin-context.js";
import { podSecretNames } from "./pod-secret-names.js";

interface AccountView {
  readonly name: string;
  readonly secrets: ReadonlySet<string>;
  readonly imagePullSecrets: readonly string[];
  readonly automount: boolean | undefined;
  /** Pods may only mount the secrets that the account names. */
  readonly isRestricted: boolean;
}

const defaultAccount = "default";
/** The controller creates the default account of a namespace shortly after the namespace, so look this often. */
const defaultAccountLooks = 10;
/** A lifetime that marks tokens requested here for pods: they are extended when issued. */
const tokenSeconds = 3607;
const defaultMode = 0o644;
const specPath = FieldPath.of("spec");
/** The subresource of pods that adds ephemeral containers. */
const addsContainers = "ephemeralcontainers";

type Context = Pick<PluginContext, "naming" | "cluster" | "nameSuffix" | "delay">;

/**
 * Runs pods as the service account that they name, or as the default one, and adds its token as a projected volume and its image pull
 * secrets. Source: Kubernetes documentation, "Configure Service Accounts for Pods".
 */
export function serviceAccount(context: Context): AdmissionPlugin {
  return new ServiceAccounts(context);
}

class ServiceAccounts implements AdmissionPlugin {
  readonly operations = ["CREATE", "UPDATE"] as const;
  readonly #context: Context;
  readonly #restriction: string;
  readonly #mirror: string;
  readonly #known: Pick<Lister<AccountView>, "get">;

  constructor(context: Context) {
    const { naming, cluster } = context;
    this.#context = context;
    this.#restriction = `${naming.domain}/enforce-mountable-secrets`;
    this.#mirror = `${naming.domain}/config.mirror`;
    this.#known = cluster.follow("serviceaccounts", {
      view: (stored) => viewOf(stored.decode(), this.#restriction),
    });
  }

  mutate(attributes: AdmissionAttributes): Promise<void> | void {
    const pod = attributes.operation === "CREATE" ? podWriteOf(attributes)?.pod : undefined;
    if (pod === undefined) return;
    // Refused already here, before later plugins and the kind's own validation see the pod.
    if (isMirror(pod, this.#mirror)) return checkMirror(attributes, pod);
    pod.spec.serviceAccountName ||= defaultAccount;
    // Webhooks and policies see it in the deprecated field too.
    mirrorServiceAccount(pod.spec);
    const account = this.#find(attributes, pod.spec.serviceAccountName);
    return account instanceof Promise
      ? account.then((found) => this.#give(attributes, pod, found))
      : this.#give(attributes, pod, account);
  }

  validate(attributes: AdmissionAttributes): Promise<void> | void {
    const isCreate = attributes.operation === "CREATE";
    // An update can add references to secrets only in ephemeral containers.
    if (!isCreate && attributes.subresource !== addsContainers) return;
    const pod = podWriteOf(attributes, isCreate ? [] : [addsContainers])?.pod;
    if (pod === undefined) return;
    if (isMirror(pod, this.#mirror)) {
      if (isCreate) checkMirror(attributes, pod);
      return;
    }
    const name = pod.spec.serviceAccountName ?? "";
    if (name === "") {
      const which = `${attributes.namespace}/${pod.metadata.name ?? ""}`;
      throw refused(attributes, `no service account specified for pod ${which}`);
    }
    const account = this.#find(attributes, name);
    return account instanceof Promise
      ? account.then((found) => limitSecrets(attributes, pod, found))
      : limitSecrets(attributes, pod, account);
  }

  #find(attributes: AdmissionAttributes, name: string): AccountView | Promise<AccountView> {
    return this.#known.get(`${attributes.namespace}/${name}`) ?? this.#read(attributes, name);
  }

  async #read(attributes: AdmissionAttributes, name: string): Promise<AccountView> {
    const { cluster, delay } = this.#context;
    const { namespace, signal } = attributes;
    const looks = name === defaultAccount ? defaultAccountLooks : 1;
    for (let look = 1; look <= looks; look++) {
      if (look > 1) await delay(150, signal);
      const newest = await cluster.read("serviceaccounts", namespace, name);
      if (newest !== undefined) return viewOf(newest, this.#restriction);
    }
    throw refused(
      attributes,
      `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
    );
  }

  #give(attributes: AdmissionAttributes, pod: Pod, account: AccountView): void {
    const { spec } = pod;
    if (spec.automountServiceAccountToken ?? account.automount ?? true) mountToken(pod, this.#context);
    if ((spec.imagePullSecrets ?? []).length === 0 && account.imagePullSecrets.length > 0) {
      spec.imagePullSecrets = account.imagePullSecrets.map((name) => ({ name }));
    }
    limitSecrets(attributes, pod, account);
  }
}

function limitSecrets(attributes: AdmissionAttributes, pod: Pod, account: AccountView): void {
  if (!account.isRestricted) return;
  const isCreate = attributes.operation === "CREATE";
  const problem = isCreate ? secretProblem(pod, account) : ephemeralProblem(pod, account);
  if (problem !== undefined) throw refused(attributes, problem);
}

function viewOf(object: ServiceAccount, restriction: string): AccountView {
  const { metadata, secrets = [], imagePullSecrets = [], automountServiceAccountToken } = object;
  return {
    name: metadata.name ?? "",
    secrets: new Set(secrets.map(({ name = "" }) => name)),
    imagePullSecrets: imagePullSecrets.map(({ name = "" }) => name),
    automount: automountServiceAccountToken,
    isRestricted: ["1", "t", "T", "true", "TRUE", "True"].includes(metadata.annotations?.[restriction] ?? ""),
  };
}

/** Mirror pods, which node agents create. */
function isMirror({ metadata }: Pod, annotation: string): boolean {
  return metadata.annotations?.[annotation] !== undefined;
}

function checkMirror(attributes: AdmissionAttributes, { spec }: Pod): void {
  if ((spec.serviceAccountName ?? "") !== "") {
    throw refused(attributes, "a mirror pod may not reference service accounts");
  }
  if (podSecretNames(spec).length > 0) throw refused(attributes, "a mirror pod may not reference secrets");
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    throw refused(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

function mountToken({ spec }: Pod, { naming, nameSuffix }: Pick<Context, "naming" | "nameSuffix">): void {
  const mountPath = `/var/run/secrets/${naming.domain}/serviceaccount`;
  const prefix = `${naming.prefix}-api-access-`;
  const present = spec.volumes?.find(({ name }) => name.startsWith(prefix));
  const name = present?.name ?? `${prefix}${nameSuffix()}`;
  const mount: VolumeMount = { name, readOnly: true, mountPath };
  let isNeeded = false;
  for (const { container, kind } of placedContainers(spec, specPath)) {
    if (kind === "ephemeral") continue;
    const mounts = container.volumeMounts ?? [];
    if (mounts.some((other) => other.mountPath === mountPath)) continue;
    container.volumeMounts = [...mounts, { ...mount }];
    isNeeded = true;
  }
  if (isNeeded && present === undefined) {
    spec.volumes = [...(spec.volumes ?? []), tokenVolume(name, naming.rootCaConfigMapName)];
  }
}

function tokenVolume(name: string, rootCa: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: "token" } },
        { configMap: { name: rootCa, items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode,
    },
  };
}

/** A secret that the pod uses but its account does not name. */
function secretProblem(pod: Pod, account: AccountView): string | undefined {
  const { spec } = pod;
  const because = becauseOf(account);
  // As in Kubernetes, secrets in projected volumes are not limited.
  for (const { secret } of spec.volumes ?? []) {
    if (secret === undefined || account.secrets.has(secret.secretName ?? "")) continue;
    return `volume with secret.secretName="${secret.secretName ?? ""}" ${because} secret`;
  }
  const problem = variableProblem(placedContainers(spec, specPath), account);
  if (problem !== undefined) return problem;
  const pullSecrets = new Set(account.imagePullSecrets);
  for (const [index, pull] of (spec.imagePullSecrets ?? []).entries()) {
    if (pullSecrets.has(pull.name ?? "")) continue;
    return `imagePullSecrets[${index}].name="${pull.name ?? ""}" ${because} imagePullSecret`;
  }
  return undefined;
}

function ephemeralProblem({ spec }: Pod, account: AccountView): string | undefined {
  return variableProblem(
    placedContainers(spec, specPath).filter(({ kind }) => kind === "ephemeral"),
    account,
  );
}

function variableProblem(containers: readonly PlacedContainer[], account: AccountView): string | undefined {
  for (const container of containers) {
    for (const { by, secretName } of variableSecrets(container)) {
      if (account.secrets.has(secretName)) continue;
      const which = `${containerWords[container.kind]} ${container.container.name}`;
      return `${which} with ${by} referencing secret.secretName="${secretName}" ${becauseOf(account)} secret`;
    }
  }
  return undefined;
}

function becauseOf({ name }: AccountView): string {
  return `is not allowed because service account ${name} does not reference that`;
}

const containerWords = {
  init: "init container",
  regular: "container",
  ephemeral: "ephemeral container",
} as const satisfies Record<PlacedContainer["kind"], string>;

function variableSecrets({ container }: PlacedContainer): { by: string; secretName: string }[] {
  return [
    ...(container.env ?? []).flatMap(({ name, valueFrom }) =>
      valueFrom?.secretKeyRef === undefined
        ? []
        : [{ by: `envVar ${name}`, secretName: valueFrom.secretKeyRef.name ?? "" }],
    ),
    ...(container.envFrom ?? []).flatMap(({ secretRef }) =>
      secretRef === undefined ? [] : [{ by: "envFrom", secretName: secretRef.name ?? "" }],
    ),
  ];
}
