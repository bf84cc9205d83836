import type { Pod, Secret, ServiceAccount } from "../apis/gen/core-v1.js";
import { Informer } from "../informers/informer.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { ignoreNotFoundOrConflict } from "./ignore-errors.js";
import { dateText, isDate, type SecretTokenNames, trackedSinceKey } from "./secret-token-tracking.js";

export interface SecretTokenCleanerOptions extends SecretTokenNames {
  /** Names of the secrets that a pod uses. */
  readonly secretsOf: (pod: Pod) => readonly string[];
}

interface TokenSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: string;
  readonly createdAt: string;
  readonly isLeaving: boolean;
  readonly account: string;
  readonly accountUid: string;
  readonly lastUsed: string | undefined;
  readonly invalidSince: string;
}

const dayMs = 86_400_000;
const unusedDays = 365;

/**
 * Marks tokens that came with their account as invalid when nobody has used them for a year and no pod has their secret, and deletes them a
 * year later. Source: KEP-2799, Kubernetes' `legacy_serviceaccount_token_cleaner.go`.
 */
export class SecretTokenCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #options: SecretTokenCleanerOptions;
  readonly #user = controllerUser("system:serviceaccount:legacy-service-account-token-cleaner");
  readonly #secrets: Informer<Secret, TokenSecret | undefined>;
  readonly #pods: Informer<Pod, readonly string[], "secret">;
  #cancel: (() => void) | undefined;
  #cleaning: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, options: SecretTokenCleanerOptions) {
    this.#context = context;
    this.#options = options;
    this.#secrets = new Informer({
      source: () => context.builtin("secrets"),
      view: (stored) =>
        stored.fields.type === options.secretType ? this.#viewOf(stored.decode()) : undefined,
    });
    this.#pods = new Informer({
      source: () => context.builtin("pods"),
      view: (stored): readonly string[] => {
        const pod = stored.decode();
        return options.secretsOf(pod).map((name) => `${pod.metadata.namespace}/${name}`);
      },
      indexes: { secret: (keys) => keys },
    });
  }

  async start(): Promise<void> {
    await this.#secrets.start();
    await this.#pods.start();
    this.#cancel = this.#context.clock.every(dayMs, () => {
      this.#cleaning = this.clean().catch((error: unknown) =>
        this.#context.log.warn("unused service account token secrets could not be cleaned up", {
          reason: String(error),
        }),
      );
      this.#context.clock.track(this.#cleaning);
    });
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#cleaning;
    await this.#pods.stop();
    await this.#secrets.stop();
  }

  /** Looks at every secret once. */
  async clean(): Promise<void> {
    if (!this.#pods.hasSynced || !this.#secrets.hasSynced) return;
    const now = this.#context.now();
    const limit = dateText(new Date(now.getTime() - unusedDays * dayMs));
    const since = await this.#trackedSince();
    // Not on the first day of tracking, when some use may have been missed.
    if (since === undefined || now.getTime() < since + (unusedDays + 1) * dayMs) return;
    for (const secret of [...this.#secrets.values()]) {
      if (secret === undefined || !(await this.#isUnused(secret, limit))) continue;
      if (!isDate(secret.invalidSince)) await this.#mark(secret, dateText(now));
      else if (secret.invalidSince < limit) await this.#remove(secret);
    }
  }

  async #trackedSince(): Promise<number | undefined> {
    const { namespace, name } = this.#options.map;
    const map = await this.#context.builtin("configmaps").find(namespace, name, { kind: "any" });
    const since = map?.decode().data?.[trackedSinceKey] ?? "";
    return isDate(since) ? Date.parse(since) : undefined;
  }

  async #isUnused(secret: TokenSecret, limit: string): Promise<boolean> {
    const { namespace, name, createdAt, lastUsed, isLeaving } = secret;
    if (isLeaving || createdAt.slice(0, 10) >= limit) return false;
    if (lastUsed !== undefined && (!isDate(lastUsed) || lastUsed >= limit)) return false;
    const account = await this.#accountOf(secret);
    if (account?.secrets?.some((each) => each.name === name) !== true) return false;
    const [user] = this.#pods.find("secret", `${namespace}/${name}`);
    return user === undefined;
  }

  async #accountOf({ namespace, account, accountUid }: TokenSecret): Promise<ServiceAccount | undefined> {
    if (account === "") return undefined;
    const accounts = this.#context.builtin("serviceaccounts");
    const found = (await accounts.find(namespace, account, { kind: "any" }))?.decode();
    return accountUid === "" || found?.metadata.uid === accountUid ? found : undefined;
  }

  async #mark({ namespace, name, uid }: TokenSecret, date: string): Promise<void> {
    const write = controllerWrite(this.#context, this.#user, namespace);
    await ignoreNotFoundOrConflict(
      this.#context.builtin("secrets").change(
        write,
        name,
        ({ metadata }) => {
          metadata.labels = { ...metadata.labels, [this.#options.invalidSinceLabel]: date };
        },
        { uid },
      ),
    );
  }

  async #remove({ namespace, name, revision }: TokenSecret): Promise<void> {
    const write = controllerWrite(this.#context, this.#user, namespace);
    const preconditions = { resourceVersion: revision };
    await ignoreNotFoundOrConflict(this.#context.builtin("secrets").delete(write, name, { preconditions }));
  }

  #viewOf({ metadata }: Secret): TokenSecret {
    const { nameAnnotation, uidAnnotation, lastUsedLabel, invalidSinceLabel } = this.#options;
    return {
      namespace: metadata.namespace ?? "",
      name: metadata.name ?? "",
      uid: metadata.uid ?? "",
      revision: metadata.resourceVersion ?? "",
      createdAt: metadata.creationTimestamp ?? "",
      isLeaving: metadata.deletionTimestamp !== undefined,
      account: metadata.annotations?.[nameAnnotation] ?? "",
      accountUid: metadata.annotations?.[uidAnnotation] ?? "",
      lastUsed: metadata.labels?.[lastUsedLabel],
      invalidSince: metadata.labels?.[invalidSinceLabel] ?? "",
    };
  }
}
