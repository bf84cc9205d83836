import type { Before } from "../levels/api-level.js";
import type { FieldAttributes, FieldDeclaration, MessageDeclaration, TypePackage } from "./declaration.js";
import { typePackage } from "./type-package.js";

/** The difference of a version from another version of its group. Everything not named is the same. */
export interface VersionDifference {
  /** Types of the sibling that the version lacks. References to them keep pointing to the sibling's types. */
  readonly without?: readonly string[];
  readonly changed?: { readonly [typeName: string]: MessageChange };
  /** Types that the sibling lacks, and those that share little with the sibling's. */
  readonly types?: { readonly [typeName: string]: MessageDeclaration };
}

/** Replaces attributes of the sibling's type; undefined removes one. */
export interface MessageChange extends Changed<Omit<MessageDeclaration, "fields">> {
  /** By the sibling's field names; false removes a field. New fields come last. */
  readonly fields?: { readonly [jsonName: string]: FieldChange | false };
}

export interface FieldChange extends Changed<FieldDeclaration> {
  /** The version's name for the field. */
  readonly name?: string;
}

type Changed<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Declares the types of a version as the difference from `sibling`, a version of the same group. References among the sibling's types,
 * and the Go type names in errors, become those of the version.
 */
export function siblingVersion(
  name: string,
  sibling: TypePackage,
  difference: () => VersionDifference = () => ({}),
): TypePackage {
  return typePackage(name, () => declareFrom(sibling, name, difference()));
}

function declareFrom(
  sibling: TypePackage,
  name: string,
  { without = [], changed = {}, types = {} }: VersionDifference,
): { readonly [typeName: string]: MessageDeclaration } {
  const before = sibling.declare();
  const kept = Object.keys(before).filter((typeName) => !without.includes(typeName));
  for (const typeName of [...without, ...Object.keys(changed)]) {
    if (before[typeName] === undefined) throw new Error(`${sibling.name} has no ${typeName}`);
  }
  const own = new Set([...kept, ...Object.keys(types)]);
  // Also within `map[v1.QualifiedName]v1.DeviceAttribute`, but not that of another package: `core/v1.Protocol`.
  const versionPrefix = new RegExp(`(?<![\\w/])${versionIn(sibling.name)}\\.`, "g");
  const renames: Renames = {
    type: (typeName) => renamed(typeName, `${sibling.name}.`, `${name}.`, (rest) => own.has(rest)),
    scalar: (scalarName) => scalarName.replaceAll(versionPrefix, `${versionIn(name)}.`),
  };
  const declared = kept.map((typeName): [string, MessageDeclaration] => {
    const declaration = before[typeName] ?? { fields: {} };
    return [typeName, changedMessage(renamedMessage(declaration, renames), changed[typeName] ?? {})];
  });
  return { ...Object.fromEntries(declared), ...types };
}

interface Renames {
  type(name: string): string;
  scalar(name: string): string;
}

function renamed(name: string, from: string, to: string, applies: (rest: string) => boolean): string {
  return name.startsWith(from) && applies(name.slice(from.length)) ? to + name.slice(from.length) : name;
}

function versionIn(packageName: string): string {
  return packageName.slice(packageName.indexOf("/") + 1);
}

function renamedMessage(declaration: MessageDeclaration, renames: Renames): MessageDeclaration {
  const fields = Object.entries(declaration.fields).map(([name, field]): [string, FieldDeclaration] => {
    const renamedField = renamedAttributes(field, renames);
    const before = field.before && renamedBefore(field.before, renames);
    return [name, { ...renamedField, ...(before && { before }) }];
  });
  return { ...declaration, fields: Object.fromEntries(fields) };
}

function renamedAttributes<T extends Changed<FieldAttributes>>(attributes: T, renames: Renames): T {
  const { type, elementName, collectionName } = attributes;
  return {
    ...attributes,
    ...(type !== undefined && { type: renames.type(type) }),
    ...(elementName !== undefined && { elementName: renames.scalar(elementName) }),
    ...(collectionName !== undefined && { collectionName: renames.scalar(collectionName) }),
  };
}

function renamedBefore(before: Before<FieldAttributes>, renames: Renames): Before<FieldAttributes> {
  return Object.fromEntries(
    Object.entries(before).map(([level, attributes]) => [level, renamedAttributes(attributes, renames)]),
  );
}

function changedMessage(
  declaration: MessageDeclaration,
  { fields: changes = {}, ...attributes }: MessageChange,
): MessageDeclaration {
  const fields: { [jsonName: string]: FieldDeclaration } = {};
  for (const [siblingName, field] of Object.entries(declaration.fields)) {
    const change = changes[siblingName];
    if (change === false) continue;
    const { name = siblingName, ...others } = change ?? {};
    fields[name] = withChanges(field, others);
  }
  for (const [name, change] of Object.entries(changes)) {
    if (declaration.fields[name] !== undefined || change === false) continue;
    fields[name] = newField(name, change);
  }
  return { ...withChanges(declaration, attributes), fields };
}

function withChanges<T extends object>(declaration: T, changes: Changed<T>): T {
  const all = { ...declaration, ...changes };
  // Undefined attributes are removed; required ones never are.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
}

function newField(name: string, { name: _name, number, type, ...others }: FieldChange): FieldDeclaration {
  if (number === undefined || type === undefined) throw new Error(`field ${name} has no number or no type`);
  return withChanges<FieldDeclaration>({ number, type }, others);
}
