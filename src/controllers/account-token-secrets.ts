import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import type { Secret, ServiceAccount } from "../apis/gen/core-v1.js";
import { Informer } from "../informers/informer.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreNotFoundOrConflict } from "./ignore-errors.js";
import type { WorkQueue } from "./work-queue.js";

/** The service account of a token secret. */
export interface SecretTokenContent {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly secretName: string;
}

export interface AccountTokenSecretsOptions {
  /** Type of the secrets that hold tokens. */
  readonly secretType: string;
  readonly nameAnnotation: string;
  readonly uidAnnotation: string;
  /** PEM of the authority that signed the API server's certificate. */
  readonly caPem: string;
  /** Undefined if only other servers sign tokens: they fill the secrets then. */
  readonly sign: ((content: SecretTokenContent) => Promise<string>) | undefined;
}

/** The parts of a token secret that are kept; undefined for other secrets. */
interface TokenSecret {
  readonly key: string;
  /** `namespace/name` */
  readonly account: string;
  /** Empty until the secret is filled. */
  readonly accountUid: string;
}

const caKey = "ca.crt";
const namespaceKey = "namespace";
const tokenKey = "token";

/**
 * Fills the secrets that request a service account's token, removes them with their account, and their names from the account when they
 * go first. Does not create secrets for accounts by itself. Source: Kubernetes documentation, "Token controller".
 */
export class AccountTokenSecrets implements Controller {
  readonly #context: ControllerContext;
  readonly #options: AccountTokenSecretsOptions;
  readonly #user = controllerUser("system:serviceaccount:tokens-controller");
  readonly #secrets: Informer<Secret, TokenSecret | undefined, "account">;
  readonly #accounts: Informer<ServiceAccount, true>;
  readonly #queue: WorkQueue<string>;
  /** Deleted secrets that their accounts may still reference. */
  readonly #gone = new Map<string, TokenSecret>();

  constructor(context: ControllerContext, options: AccountTokenSecretsOptions) {
    this.#context = context;
    this.#options = options;
    this.#secrets = new Informer({
      source: () => context.builtin("secrets"),
      view: (stored) => {
        if (stored.fields.type !== options.secretType) return undefined;
        const { metadata } = stored.decode();
        const account = metadata.annotations?.[options.nameAnnotation] ?? "";
        return {
          key: stored.key,
          account: `${metadata.namespace}/${account}`,
          accountUid: metadata.annotations?.[options.uidAnnotation] ?? "",
        };
      },
      indexes: { account: (secret) => (secret === undefined ? [] : [secret.account]) },
    });
    this.#accounts = new Informer({
      source: () => context.builtin("serviceaccounts"),
      view: () => true as const,
    });
    this.#queue = controllerQueue(context, {
      name: "serviceaccount_tokens_service",
      work: (key) => this.#ensure(key),
      workers: 4,
      file: "controllers/account-token-secrets",
      failure: "the secret of a service account's token could not be written",
      about: (key) => ({ secret: key }),
    });
  }

  async start(): Promise<void> {
    this.#secrets.onChange(({ key, value, previous }) => {
      if (value === undefined && previous === undefined) return;
      if (value === undefined && previous !== undefined) this.#gone.set(key, previous);
      this.#queue.add(key);
    });
    this.#accounts.onChange(({ key, value }) => {
      if (value !== undefined) return;
      for (const secret of this.#secrets.find("account", key)) {
        if (secret !== undefined) this.#queue.add(secret.key);
      }
    });
    await this.#secrets.start();
    await this.#accounts.start();
  }

  async stop(): Promise<void> {
    await this.#accounts.stop();
    await this.#secrets.stop();
    await this.#queue.close();
  }

  async #ensure(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const secret = await this.#find("secrets", namespace, name);
    const gone = this.#gone.get(key);
    if (secret === undefined && gone !== undefined) await this.#forget(name, gone);
    if (this.#gone.get(key) === gone) this.#gone.delete(key);
    if (secret === undefined || secret.type !== this.#options.secretType) return;
    if (secret.metadata.deletionTimestamp !== undefined) return;
    const account = await this.#accountOf(namespace, secret);
    if (account === undefined) return await this.#remove(namespace, secret);
    if (!this.#needs(secret, account)) return;
    const filled = await this.#missing(namespace, secret, account);
    const write = controllerWrite(this.#context, this.#user, namespace);
    const { uid } = secret.metadata;
    await this.#context.builtin("secrets").change(write, name, (current) => fill(current, filled), { uid });
  }

  /** The account that a secret names, unless it was replaced by another of the same name. */
  async #accountOf(namespace: string, { metadata }: Secret): Promise<ServiceAccount | undefined> {
    const name = metadata.annotations?.[this.#options.nameAnnotation] ?? "";
    const uid = metadata.annotations?.[this.#options.uidAnnotation] ?? "";
    const account = await this.#find("serviceaccounts", namespace, name);
    return uid === "" || account?.metadata.uid === uid ? account : undefined;
  }

  #needs({ data = {}, metadata }: Secret, account: ServiceAccount): boolean {
    return (
      (this.#options.sign !== undefined && (data[tokenKey] ?? "") === "") ||
      data[caKey] !== base64(this.#options.caPem) ||
      (data[namespaceKey] ?? "") === "" ||
      metadata.annotations?.[this.#options.uidAnnotation] !== account.metadata.uid
    );
  }

  async #missing(
    namespace: string,
    { data = {}, metadata }: Secret,
    account: ServiceAccount,
  ): Promise<Filling> {
    const { sign, uidAnnotation, caPem } = this.#options;
    const { name = "", uid = "" } = account.metadata;
    const needsToken = sign !== undefined && (data[tokenKey] ?? "") === "";
    return {
      annotations: { [uidAnnotation]: uid },
      data: {
        [caKey]: base64(caPem),
        ...((data[namespaceKey] ?? "") === "" && { [namespaceKey]: base64(namespace) }),
        ...(needsToken && {
          [tokenKey]: base64(
            await sign({ namespace, account: { name, uid }, secretName: metadata.name ?? "" }),
          ),
        }),
      },
    };
  }

  /** Removes a deleted secret from the references of its account. */
  async #forget(secret: string, { account: key, accountUid }: TokenSecret): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const account = await this.#find("serviceaccounts", namespace, name);
    const isNamed = account?.secrets?.some((each) => each.name === secret) ?? false;
    if (!isNamed || (accountUid !== "" && account?.metadata.uid !== accountUid)) return;
    const write = controllerWrite(this.#context, this.#user, namespace);
    const forget = (current: ServiceAccount): void => {
      current.secrets = current.secrets?.filter((each) => each.name !== secret);
    };
    const uid = account?.metadata.uid;
    await ignoreNotFoundOrConflict(
      this.#context.builtin("serviceaccounts").change(write, name, forget, { uid }),
    );
  }

  async #remove(namespace: string, { metadata }: Secret): Promise<void> {
    const write = controllerWrite(this.#context, this.#user, namespace);
    const preconditions = { uid: metadata.uid };
    const secrets = this.#context.builtin("secrets");
    await ignoreNotFoundOrConflict(secrets.delete(write, metadata.name ?? "", { preconditions }));
  }

  /** Read from the store itself, because a missing account means that the secret is deleted. */
  async #find<R extends BuiltinResource>(
    resource: R,
    namespace: string,
    name: string,
  ): Promise<BuiltinObjects[R] | undefined> {
    if (name === "") return undefined;
    return (await this.#context.builtin(resource).find(namespace, name, { kind: "mostRecent" }))?.decode();
  }
}

interface Filling {
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

function fill(secret: Secret, { annotations, data }: Filling): void {
  secret.metadata.annotations = { ...secret.metadata.annotations, ...annotations };
  const filled = { ...secret.data };
  for (const [key, value] of Object.entries(data)) {
    // Another server may have filled it meanwhile; its token is as good.
    if (key === caKey || (filled[key] ?? "") === "") filled[key] = value;
  }
  secret.data = filled;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
