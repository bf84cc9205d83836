import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, hasLevel, isAtLeast, type LevelRange } from "../../apimachinery/levels/api-level.js";
import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";
import { listKindOf } from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import type { ServedResource } from "../catalog/api-catalog.js";
import type { ApiBody } from "./api-path.js";
import type { DefinitionNames } from "./definition-names.js";
import type { Definitions } from "./definitions.js";
import { metadataDescription } from "./descriptions.js";
import type { Dialect } from "./dialect.js";

/** A schema that the resource itself provides. */
export interface GivenSchema {
  readonly served: ServedResource;
  /** As the document shows it. */
  readonly schema: JsonObject;
}

interface GivenKind extends Omit<GivenSchema, "served"> {
  readonly kind: GroupVersionKind;
  readonly selectableFields: readonly string[];
}

interface GivenList {
  readonly kind: GroupVersionKind;
  /** Their kind, and the name of their definition. */
  readonly items: { readonly kind: string; readonly name: string };
}

/** The definitions without a declared type: custom resources, and the answer of `/version`. */
export class GivenSchemas {
  readonly #naming: Naming;
  readonly #names: DefinitionNames;
  readonly #level: ApiLevel;
  readonly #kinds = new Map<string, GivenKind | GivenList>();
  readonly #bodies = new Map<ServedResource, { readonly object: ApiBody; readonly list: ApiBody }>();

  constructor(
    schemas: Iterable<GivenSchema>,
    parts: { readonly naming: Naming; readonly names: DefinitionNames; readonly level: ApiLevel },
  ) {
    this.#naming = parts.naming;
    this.#names = parts.names;
    this.#level = parts.level;
    for (const schema of schemas) this.#add(schema);
  }

  bodiesOf(served: ServedResource): { readonly object: ApiBody; readonly list: ApiBody } | undefined {
    return this.#bodies.get(served);
  }

  /** Throws for a name that is not among them. */
  schema(name: string, definitions: Definitions): JsonObject {
    if (name === this.#names.versionInfo) return versionInfoSchema(this.#level, definitions.dialect);
    const given = this.#kinds.get(name);
    if (given === undefined) throw new Error(`no definition is named ${name}`);
    return "items" in given ? this.#listSchema(given, definitions) : this.#objectSchema(given);
  }

  #add({ served, schema }: GivenSchema): void {
    const { group, kind } = served.definition;
    const { version } = served.version;
    const object = this.#names.ofCustomKind(group, version, kind);
    const listKind = listKindOf(served.definition);
    const list = this.#names.ofCustomKind(group, version, listKind);
    const { selectableFields = [] } = served.version;
    this.#kinds.set(object, { kind: { group, version, kind }, schema, selectableFields });
    this.#kinds.set(list, { kind: { group, version, kind: listKind }, items: { kind, name: object } });
    this.#bodies.set(served, {
      object: { kind: "definition", name: object },
      list: { kind: "definition", name: list },
    });
  }

  #objectSchema({ kind, schema, selectableFields }: GivenKind): JsonObject {
    return {
      ...schema,
      ...this.#kindExtension(kind),
      // Served at every level, but described only at the levels where Kubernetes describes it.
      ...(isAtLeast(this.#level, "1.30") &&
        selectableFields.length > 0 && {
          [`${this.#naming.extensionPrefix}selectable-fields`]: selectableFields.map((fieldPath) => ({
            fieldPath,
          })),
        }),
    };
  }

  #listSchema({ kind, items: { kind: itemKind, name } }: GivenList, definitions: Definitions): JsonObject {
    const items = definitions.ofBody({ kind: "definition", name });
    return {
      description: `A list of ${itemKind} objects.`,
      properties: {
        ...commonProperties(definitions, "ListMeta"),
        items: { description: "The objects of the list.", items, type: "array" },
      },
      required: ["items"],
      type: "object",
      ...this.#kindExtension(kind),
    };
  }

  #kindExtension({ group, kind, version }: GroupVersionKind): JsonObject {
    return { [`${this.#naming.extensionPrefix}group-version-kind`]: [{ group, kind, version }] };
  }
}

/** The properties that all objects or all lists have; the types that they refer to are added to the document. */
export function commonProperties(definitions: Definitions, meta: "ObjectMeta" | "ListMeta"): JsonObject {
  const metadata = definitions.reference(`meta/v1.${meta}`);
  return {
    ...definitions.typeMetaProperties(),
    metadata: definitions.described(metadata, metadataDescription),
  };
}

/** In the order in which the document lists them. */
const versionFields: readonly (LevelRange & { readonly name: string; readonly description: string })[] = [
  { name: "buildDate", description: "When the server was built, as RFC 3339 text." },
  { name: "compiler", description: "What compiles the server's program." },
  {
    name: "emulationMajor",
    description: "First number of the version that the server emulates.",
    since: "1.33",
  },
  {
    name: "emulationMinor",
    description: "Second number of the version that the server emulates.",
    since: "1.33",
  },
  { name: "gitCommit", description: "Commit of the sources that the server was built from." },
  { name: "gitTreeState", description: "Whether the sources had uncommitted changes: clean or dirty." },
  {
    name: "gitVersion",
    description: "Version of the API that the server speaks and, after '+', of the server itself.",
  },
  { name: "goVersion", description: "Version of the language's runtime." },
  { name: "major", description: "First number of the API's version." },
  {
    name: "minCompatibilityMajor",
    description: "First number of the oldest version that other servers of the cluster may have.",
    since: "1.33",
  },
  {
    name: "minCompatibilityMinor",
    description: "Second number of the oldest version that other servers of the cluster may have.",
    since: "1.33",
  },
  { name: "minor", description: "Second number of the API's version." },
  { name: "platform", description: "Operating system and processor architecture, such as linux/amd64." },
];

/** In the order in which Kubernetes declares them. */
const requiredOfVersion = [
  "major",
  "minor",
  "gitVersion",
  "gitCommit",
  "gitTreeState",
  "buildDate",
  "goVersion",
  "compiler",
  "platform",
];

const versionInfoSchema = (level: ApiLevel, dialect: Dialect): JsonObject => ({
  description: "Which version of the server runs, and how it was built.",
  properties: Object.fromEntries(
    versionFields
      .filter((field) => hasLevel(field, level))
      .map(({ name, description }) => {
        const hasDefault = dialect === "v3" && requiredOfVersion.includes(name);
        return [name, { description, type: "string", ...(hasDefault && { default: "" }) }];
      }),
  ),
  required: requiredOfVersion,
  type: "object",
});
