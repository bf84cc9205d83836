import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import type { IpFamily } from "../../apimachinery/validation/ip-addresses.js";
import type { Naming } from "../../naming/naming.js";

/** Shared by the definitions of all built-in kinds; made once at start. */
export interface ApiContext {
  readonly naming: Naming;
  /** The level that the server has; `schemas` are of the same. */
  readonly level: ApiLevel;
  /** The oldest level among the cluster's servers, which must all read what is stored. Default: the level before. */
  readonly oldestLevel?: ApiLevel | undefined;
  readonly schemas: SchemaSource;
  /** Whether a feature is on, at levels that do not know its gate too. */
  readonly isEnabled: (gate: FeatureGateName) => boolean;
  readonly options: ApiOptions;
  /** The time of the cluster, for defaults; strategies have that of their write. */
  readonly now: () => Date;
}

/** The server options that affect validation. */
export interface ApiOptions {
  readonly allowPrivileged: boolean;
  readonly eventTtlSeconds: number;
  /** IP families of the service networks, the primary first. Default: IPv4. */
  readonly serviceIpFamilies?: readonly IpFamily[] | undefined;
}

/** Implemented by the schema registry. */
export interface SchemaSource {
  message(name: string): MessageSchema;
  /** The caller chooses the object form: the generated interface with the type's name. */
  codec<T extends object>(name: string): Codec<T>;
}
