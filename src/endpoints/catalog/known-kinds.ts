import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";

/** All kinds of resources in all versions, and their lists. Several resources may share a kind. */
export class KnownKinds {
  readonly #counts = new Map<string, number>([["v1 List", 1]]);

  has({ apiVersion, kind }: TypeMeta): boolean {
    return this.#counts.has(`${apiVersion} ${kind}`);
  }

  add(definition: ResourceDefinition): void {
    for (const type of typesOf(definition)) this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  remove(definition: ResourceDefinition): void {
    for (const type of typesOf(definition)) {
      const left = (this.#counts.get(type) ?? 0) - 1;
      if (left > 0) this.#counts.set(type, left);
      else this.#counts.delete(type);
    }
  }
}

function typesOf({ group, kind, versions }: ResourceDefinition): string[] {
  return versions.flatMap(({ version }) => {
    const type = `${apiVersionOf({ group, version })} ${kind}`;
    return [type, `${type}List`];
  });
}
