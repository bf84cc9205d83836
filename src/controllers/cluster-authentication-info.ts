import { X509Certificate } from "node:crypto";
import { isStatus } from "../apimachinery/errors/status.js";
import type { ConfigMap } from "../apis/gen/core-v1.js";
import { type Following, follow } from "../informers/follow.js";
import { type Controller, type ControllerContext, serverWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import type { WorkQueue } from "./work-queue.js";

/** What extension servers need to authenticate requests as this server does. */
export interface AuthenticationInfo {
  /** PEM; empty when there are none. */
  readonly clientAuthorities: string;
  readonly frontProxy: FrontProxyInfo | undefined;
}

export interface FrontProxyInfo {
  /** PEM. */
  readonly authorities: string;
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  /** Published only if there are some. */
  readonly uidHeaders?: readonly string[] | undefined;
  readonly extraHeaderPrefixes: readonly string[];
  readonly allowedNames: readonly string[];
}

export interface ClusterAuthenticationInfoOptions {
  readonly namespace: string;
  /** Returns the current information. */
  readonly info: () => AuthenticationInfo;
  /** Calls back when `info` has changed. */
  readonly onChange: (listener: () => void) => void;
}

const authenticationConfigMapName = "extension-apiserver-authentication";
const everythingMs = 60_000;

/**
 * Keeps the config map `extension-apiserver-authentication` up to date. Servers of one store may have different authorities during a
 * rotation: each adds its own and removes expired ones.
 */
export class ClusterAuthenticationInfo implements Controller {
  readonly #context: ControllerContext;
  readonly #options: ClusterAuthenticationInfoOptions;
  readonly #queue: WorkQueue<"sync">;
  #following: Following | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: ControllerContext, options: ClusterAuthenticationInfoOptions) {
    this.#context = context;
    this.#options = options;
    this.#queue = controllerQueue(context, {
      name: "cluster_authentication_trust_controller",
      work: () => this.#sync(),
      workers: 1,
      file: "controllers/cluster-authentication-info",
      failure: "the config map for extension servers could not be written",
    });
    options.onChange(() => this.#queue.add("sync"));
  }

  async start(): Promise<void> {
    const key = `${this.#options.namespace}/${authenticationConfigMapName}`;
    try {
      await this.#sync();
    } catch {
      // The queue retries, and reports the error.
      this.#queue.add("sync");
    }
    this.#following = await follow(this.#context.builtin("configmaps"), {
      change: (_type, stored) => {
        if (stored.key === key) this.#queue.add("sync");
      },
    });
    this.#timer = setInterval(() => this.#queue.add("sync"), everythingMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#following?.stop();
    await this.#queue.close();
  }

  async #sync(): Promise<void> {
    const { namespace, info } = this.#options;
    const registry = this.#context.builtin("configmaps");
    const now = this.#context.now();
    const write = serverWrite(this.#context, namespace);
    const merged = (data: ConfigMap["data"]) => mergeAuthenticationData(data ?? {}, info(), now);
    let existing: ConfigMap;
    try {
      const stored = await registry.get(namespace, authenticationConfigMapName, { kind: "mostRecent" });
      existing = stored.decode();
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
      const object: ConfigMap = { metadata: { name: authenticationConfigMapName }, data: merged({}) };
      await registry.create(write, object);
      return;
    }
    if (isSame(merged(existing.data), existing.data ?? {})) return;
    await registry.change(write, authenticationConfigMapName, (object) => {
      object.data = merged(object.data);
    });
  }
}

/** The config map's data with this server's information added. Other keys stay. */
export function mergeAuthenticationData(
  existing: Readonly<Record<string, string>>,
  { clientAuthorities, frontProxy }: AuthenticationInfo,
  now: Date,
): Record<string, string> {
  const data = { ...existing };
  const setCertificates = (key: string, pem: string): void => {
    const merged = mergeCertificates(existing[key] ?? "", pem, now);
    if (merged !== "") data[key] = merged;
    else delete data[key];
  };
  setCertificates("client-ca-file", clientAuthorities);
  if (frontProxy === undefined) return data;
  setCertificates("requestheader-client-ca-file", frontProxy.authorities);
  for (const [key, names] of [
    ["requestheader-username-headers", frontProxy.usernameHeaders],
    ["requestheader-group-headers", frontProxy.groupHeaders],
    ["requestheader-uid-headers", frontProxy.uidHeaders],
    ["requestheader-extra-headers-prefix", frontProxy.extraHeaderPrefixes],
    ["requestheader-allowed-names", frontProxy.allowedNames],
  ] as const) {
    if (names === undefined) continue;
    data[key] = JSON.stringify([...new Set([...namesOf(existing[key]), ...names])]);
  }
  return data;
}

function mergeCertificates(existing: string, own: string, now: Date): string {
  const certificates = new Map<string, string>();
  for (const block of [...blocksOf(existing, existingMax), ...blocksOf(own)]) {
    try {
      const certificate = new X509Certificate(block);
      if (new Date(certificate.validTo) >= now) {
        certificates.set(certificate.fingerprint256, certificate.toString());
      }
    } catch {
      // Extension servers cannot use malformed content.
    }
  }
  return [...certificates.values()].join("");
}

/** The block's content must not contain dashes, as base64 has none, so that a text of many BEGIN lines is scanned only once. */
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Far more than servers that share a cluster have, because others may write the config map too. */
const existingMax = 100;

function blocksOf(pem: string, max = Number.POSITIVE_INFINITY): string[] {
  const blocks: string[] = [];
  for (const [block] of pem.matchAll(certificateBlock)) {
    if (blocks.push(block) >= max) break;
  }
  return blocks;
}

function namesOf(text: string | undefined): string[] {
  try {
    const names: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
