import type { Codec } from "../../apimachinery/schema/codec.js";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import type { IpFamily } from "../../apimachinery/validation/ip-addresses.js";
import type { Naming } from "../../naming/naming.js";

/** What the declarations of built-in kinds are made from, once at start. */
export interface ApiContext {
  readonly naming: Naming;
  readonly schemas: SchemaSource;
  /** Feature gates by name. */
  readonly isEnabled: (gate: string) => boolean;
  readonly options: ApiOptions;
}

/** The few options of the server that decide what a valid object is. */
export interface ApiOptions {
  readonly allowPrivileged: boolean;
  readonly eventTtlSeconds: number;
  /** Of the networks of services, the primary first. IPv4 alone unless given. */
  readonly serviceIpFamilies?: readonly IpFamily[] | undefined;
}

/** Satisfied by the schema registry. */
export interface SchemaSource {
  message(name: string): MessageSchema;
  /** The caller names the object form: the generated interface of the same type name. */
  codec<T extends object>(name: string): Codec<T>;
}
