import type { ApiObject, GroupVersionKind, GroupVersionResource } from "../apimachinery/meta.js";
import type { UserInfo } from "../apimachinery/request-info.js";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One write as the admission plugins see it. Objects are of the hub version. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Plugins that mutate change it in place. Undefined for DELETE. */
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Options of the request as the client sent them: CreateOptions, DeleteOptions … */
  readonly options: object | undefined;
  warn(text: string): void;
}

/** A built-in step of admission. Both methods throw a `StatusError` to refuse. */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: AdmissionOperation): boolean;
  mutate?(attributes: AdmissionAttributes): Promise<void>;
  validate?(attributes: AdmissionAttributes): Promise<void>;
}

export interface AdmissionChain {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** Runs the plugins in the order given: all mutating ones, later all validating ones. */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  const mutating = plugins.filter((p) => p.mutate !== undefined);
  const validating = plugins.filter((p) => p.validate !== undefined);
  return {
    async mutate(attributes) {
      for (const plugin of mutating) {
        if (plugin.handles(attributes.operation)) await plugin.mutate?.(attributes);
      }
    },
    async validate(attributes) {
      for (const plugin of validating) {
        if (plugin.handles(attributes.operation)) await plugin.validate?.(attributes);
      }
    },
  };
}
