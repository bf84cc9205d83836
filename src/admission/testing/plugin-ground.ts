import { type StatusCause, StatusError } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { AdmissionReview } from "../../apis/gen/admission-v1.js";
import { readReview } from "../../remote/review-answer.js";
import type { AdmissionAttributes, AdmissionOperation } from "../chain/admission-attributes.js";
import { createAdmissionChain } from "../chain/admission-chain.js";
import type { AdmissionObserver } from "../chain/admission-observer.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { namespaceView } from "../chain/namespace-lister.js";
import { Reinvocation } from "../chain/reinvocation.js";
import type { AccessQuestion, ClusterData, ImageReviewer, PluginContext } from "../plugins/plugin-context.js";
import { printLevelVersion } from "../pod-security/level.js";
import type { WebhookParts } from "../webhooks/webhook-caller.js";
import { decoded, definitionOf, type Kinds, kindsOf, testCluster } from "./test-cluster.js";

/** The cluster of a test. Objects are JSON of the hub version. */
export interface GroundParts {
  /** Objects known to the listers, by resource: `{ limitranges: [{ metadata: … }] }`. */
  readonly known?: Readonly<Record<string, readonly object[]>>;
  /** Objects only in the store, unknown to the listers. */
  readonly unheard?: Readonly<Record<string, readonly object[]>>;
  /** Default: everything is allowed. */
  readonly isAllowed?: (user: UserInfo, question: AccessQuestion) => boolean;
  readonly gates?: { readonly [N in FeatureGateName]?: boolean };
  readonly configuration?: unknown;
  /** Default: the oldest. */
  readonly level?: ApiLevel;
  /** Parameters of policies. */
  readonly params?: ClusterData["params"];
  readonly imageReviewer?: ImageReviewer;
  /** What admission webhooks answer to reviews, by name. A call fails when it throws. */
  readonly webhookAnswer?: (webhook: string, request: JsonObject) => JsonObject;
}

/** A write; `resource` may name a subresource: `pods/status`. */
export interface TestWrite {
  readonly operation?: AdmissionOperation;
  readonly resource: string;
  readonly object?: object;
  /** Written in place of an object of the resource, as the plugin sees it. */
  readonly other?: ApiObject;
  readonly old?: object;
  readonly name?: string;
  readonly namespace?: string;
  readonly user?: Partial<UserInfo>;
  readonly dryRun?: boolean;
}

export interface Outcome {
  /** The object after the plugin. */
  readonly object: ApiObject | undefined;
  /** Undefined when the plugin admitted the write. */
  readonly refusal: string | undefined;
  readonly code: number | undefined;
  readonly causes: readonly StatusCause[];
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

export const noObserver: AdmissionObserver = {
  plugin: () => () => undefined,
  step: () => () => undefined,
  now: () => 0,
};

/** One plugin in a test's cluster. */
export class PluginGround {
  readonly created: ApiObject[] = [];
  readonly asked: AccessQuestion[] = [];
  /** How often an object was printed for webhooks. */
  prints = 0;
  /** What PodSecurity and webhooks reported to their observers. */
  readonly observed: string[] = [];
  /** Objects whose status was written, by name. */
  readonly updated = new Map<string, ApiObject>();
  now = 0;
  readonly #plugin: AdmissionPlugin;
  readonly #parts: GroundParts;
  readonly #kinds: Kinds;

  constructor(
    create: (context: PluginContext, configuration: unknown) => AdmissionPlugin,
    parts: GroundParts = {},
  ) {
    this.#parts = parts;
    const { level = oldestLevel } = parts;
    this.#kinds = kindsOf(level);
    this.#plugin = create(this.#context(), parts.configuration);
  }

  /** Mutates, then validates. */
  async admit(write: TestWrite): Promise<Outcome> {
    const [resource = "", subresource = ""] = write.resource.split("/");
    const definition = definitionOf(this.#kinds, resource);
    const namespace = write.namespace ?? (definition.namespaced ? "ns" : "");
    const object = write.other ?? (write.object && decoded(this.#kinds, resource, write.object, namespace));
    const oldObject = write.old && decoded(this.#kinds, resource, write.old, namespace);
    const version = definition.versions[0]?.version ?? "";
    const warnings: string[] = [];
    const annotations: Record<string, string> = {};
    const attributes: AdmissionAttributes = {
      operation:
        write.operation ?? (oldObject === undefined ? "CREATE" : object === undefined ? "DELETE" : "UPDATE"),
      kind: { group: definition.group, version, kind: definition.kind },
      resource: { group: definition.group, version, resource },
      subresource,
      namespace,
      name: write.name ?? object?.metadata.name ?? oldObject?.metadata.name ?? "",
      object,
      oldObject,
      options: undefined,
      user: { name: "user", uid: "", groups: [], extra: {}, ...write.user },
      dryRun: write.dryRun ?? false,
      signal: new AbortController().signal,
      forms: {
        served: [],
        print: async (printed) => {
          this.prints++;
          return JSON.stringify(printed);
        },
        json: (shown) => JSON.parse(JSON.stringify(shown)),
        mergeType: () => definition.versions[0]?.codec.mergeType,
        replace: async (target, changed) => void Object.assign(target, changed),
      },
      reinvocation: new Reinvocation(),
      write: {
        auditsObjects: true,
        addMutatingWebhookTime: () => undefined,
        addValidatingWebhookTime: () => undefined,
        step() {},
      },
      warn: (text) => void warnings.push(text),
      addAnnotation: (key, value) => {
        annotations[key] = value;
      },
    };
    const chain = createAdmissionChain([{ name: "under test", plugin: this.#plugin }], noObserver);
    try {
      await chain.mutate(attributes);
      await chain.validate(attributes);
      return { object, refusal: undefined, code: undefined, causes: [], warnings, annotations };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const { message: refusal, code, status } = error;
      return { object, refusal, code, causes: status.details?.causes ?? [], warnings, annotations };
    }
  }

  #webhooks(): WebhookParts {
    const { webhookAnswer, level = oldestLevel } = this.#parts;
    const kinds = this.#kinds;
    let uids = 0;
    return {
      caller: {
        async call({ name }, { body, uid, version, typeMeta }) {
          if (webhookAnswer === undefined) throw new Error("no webhooks here");
          const { request } = JSON.parse(body.toString("utf8"));
          const codec = kinds.context.schemas.codec<AdmissionReview>(`admission/${version}.AdmissionReview`);
          const response = { uid, allowed: true, ...webhookAnswer(name, request) };
          return readReview({ ...typeMeta, response }, { typeMeta, codec });
        },
      },
      takesBadPatchesForFailures: isAtLeast(level, "1.34"),
      uid: () => `uid-${++uids}`,
      now: () => this.now,
      observe: ({ webhook, result }) => void this.observed.push(`${webhook} ${result.kind}`),
      failedOpen: () => undefined,
      failedClosed: () => undefined,
    };
  }

  #context(): PluginContext {
    const { known = {}, unheard = {}, isAllowed = () => true, gates = {} } = this.#parts;
    const kinds = this.#kinds;
    const cluster = testCluster({
      kinds,
      known,
      unheard,
      created: this.created,
      updated: this.updated,
      params: this.#parts.params,
    });
    const namespaces = cluster.follow("namespaces", { view: (stored) => namespaceView(stored.decode()) });
    return {
      webhooks: { admit: this.#webhooks(), validating: this.#webhooks() },
      podSecurityObserver: {
        evaluated: (verdict, level, mode) =>
          void this.observed.push(`${verdict} ${mode} ${printLevelVersion(level)}`),
        exempted: () => void this.observed.push("exempt"),
        failed: (isFatal) => void this.observed.push(isFatal ? "fatal error" : "error"),
      },
      policyObserver: {
        now: () => 0,
        validated: ({ policy, binding, errorType }, action) =>
          void this.observed.push(`${policy} ${binding} ${errorType} ${action}`),
        mutated: ({ policy, binding, errorType }) =>
          void this.observed.push(`${policy} ${binding} ${errorType}`),
        conditionsNotMet: ({ kind, name }, _durationMs, errors) =>
          void this.observed.push(`${kind} ${name} not met, ${errors} errors`),
        excluded: ({ kind, name }) => void this.observed.push(`${kind} ${name} excluded`),
      },
      imageReviewer: this.#parts.imageReviewer,
      naming: kinds.context.naming,
      options: { defaultNotReadyTolerationSeconds: 300, defaultUnreachableTolerationSeconds: 300 },
      namespaces: {
        get: (name) => namespaces.get(name),
        read: async (name) => {
          const object = await cluster.read("namespaces", "", name);
          return object && namespaceView(object);
        },
      },
      cluster,
      authorizer: {
        decide: ({ user, ...check }) => {
          const { group, resource, subresource, namespace, name, verb } = check;
          const question = { group, resource, subresource, namespace, name, verb };
          this.asked.push(question);
          const who = { name: user.name, uid: "", groups: [], extra: {} };
          return { kind: isAllowed(who, question) ? "allow" : "noOpinion", reason: "because" };
        },
        authorize: async (user, question) => {
          this.asked.push(question);
          return { isAllowed: isAllowed(user, question), reason: "" };
        },
      },
      level: kinds.context.level,
      isEnabled: (gate) => gates[gate] ?? kinds.context.isEnabled(gate),
      now: () => this.now,
      nameSuffix: () => "abcde",
      runWork: (work) => work(),
      delay: async () => undefined,
    };
  }
}
