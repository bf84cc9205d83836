import { compareText } from "../collections/compare-text.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import { type FieldSet, setsEqual } from "./field-set.js";
import { parseFieldSet } from "./read-field-set.js";
import { writeFieldSet } from "./write-field-set.js";

/** Identifies an entry of managed fields: manager, operation and subresource. */
export interface ManagerIdentity {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

/** A manager and the fields it owns, in terms of `apiVersion`. Immutable. */
export class Manager implements ManagerIdentity {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339, whole seconds; undefined when the entry has no time. */
  readonly time: string | undefined;
  readonly set: FieldSet;

  constructor(identity: ManagerIdentity, set: FieldSet, time: string | undefined) {
    this.name = identity.name;
    this.operation = identity.operation;
    this.apiVersion = identity.apiVersion;
    this.subresource = identity.subresource;
    this.time = time;
    this.set = set;
  }

  withSet(set: FieldSet): Manager {
    return new Manager(this, set, this.time);
  }

  /** The key of an entry. An applier keeps its entry when it applies another version. */
  get identity(): string {
    return identityOf(this);
  }

  encode(): ManagedFieldsEntry {
    const entry: ManagedFieldsEntry = {};
    if (this.name !== "") entry.manager = this.name;
    entry.operation = this.operation;
    entry.apiVersion = this.apiVersion;
    if (this.time !== undefined) entry.time = this.time;
    entry.fieldsType = "FieldsV1";
    entry.fieldsV1 = writeFieldSet(this.set);
    if (this.subresource !== "") entry.subresource = this.subresource;
    return entry;
  }
}

/** By identity. */
export type Managers = Map<string, Manager>;

export function identityOf({ name, operation, apiVersion, subresource }: ManagerIdentity): string {
  const identity: { [key: string]: string } = {};
  if (name !== "") identity.manager = name;
  identity.operation = operation;
  if (operation !== "Apply" && apiVersion !== "") identity.apiVersion = apiVersion;
  if (subresource !== "") identity.subresource = subresource;
  return JSON.stringify(identity);
}

/** Throws an `Error` for malformed entries. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers: Managers = new Map();
  for (const [index, entry] of entries.entries()) {
    const { apiVersion = "", fieldsType = "" } = entry;
    const operation = parseOperation(entry.operation);
    if (apiVersion === "") throw new Error("apiVersion must not be empty");
    if (fieldsType === "") throw new Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== "FieldsV1") {
      throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    }
    const identity = {
      name: entry.manager ?? "",
      operation,
      apiVersion,
      subresource: entry.subresource ?? "",
    };
    const manager = new Manager(identity, parseFieldSet(entry.fieldsV1 ?? {}), entry.time);
    managers.set(manager.identity, manager);
  }
  return managers;
}

function parseOperation(operation: string | undefined): "Apply" | "Update" {
  if (operation === "Apply" || operation === "Update") return operation;
  throw new Error("operation must be `Apply` or `Update`");
}

/** Appliers first, then by time, oldest first. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].sort(compareManagers).map((manager) => manager.encode());
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Whether none was added, replaced or removed. */
export function sameManagers(before: Managers, after: Managers): boolean {
  if (before.size !== after.size) return false;
  for (const [identity, manager] of after) if (before.get(identity) !== manager) return false;
  return true;
}

/** Whether all managers own the same fields in the same versions. */
export function sameFields(before: Managers, after: Managers): boolean {
  if (before.size !== after.size) return false;
  for (const [identity, { apiVersion, set }] of after) {
    const former = before.get(identity);
    if (former?.apiVersion !== apiVersion || !setsEqual(former.set, set)) return false;
  }
  return true;
}
