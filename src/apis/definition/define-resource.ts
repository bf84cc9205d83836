import { atLevel, type Before, type LevelRange } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { ApiContext } from "./api-context.js";
import { GatedFields } from "./gated-fields.js";
import type {
  Lifecycle,
  ResourceDefinition,
  SelectableFields,
  Verb,
  VersionConversion,
  VersionDefinition,
} from "./resource-definition.js";
import type { TableColumns } from "./table-columns.js";

/** The verbs of nearly every resource. */
export const allVerbs: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

export const partVerbs: readonly Verb[] = ["get", "patch", "update"];

export const noSelectableFields: SelectableFields<ApiObject> = { names: [], values: () => ({}) };

type Optional =
  | "shortNames"
  | "categories"
  | "verbs"
  | "subresources"
  | "selectableFields"
  | "columns"
  | "singular";

/** A `ResourceDefinition`, with defaults for what most kinds share. */
export function defineResource<T extends ApiObject>(
  definition: Omit<ResourceDefinition<T>, Optional> & Partial<Pick<ResourceDefinition<T>, Optional>>,
): ResourceDefinition<T> {
  return {
    singular: definition.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    subresources: [],
    selectableFields: noSelectableFields,
    columns: undefined,
    ...definition,
  };
}

export interface VersionDeclaration<V extends ApiObject> extends LevelRange {
  readonly version: string;
  /** Name of the type, `core/v1.Pod`. */
  readonly type: string;
  setDefaults?(object: V): void;
  /** Default true. */
  readonly enabledByDefault?: boolean | undefined;
  readonly featureGate?: FeatureGateName | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly before?: Before<LeveledAttributes> | undefined;
  /** Default: those of the kind. */
  readonly columns?: TableColumns<V> | undefined;
  /** Default: those of the kind. */
  readonly selectableFields?: readonly string[] | undefined;
}

interface LeveledAttributes {
  readonly enabledByDefault?: boolean | undefined;
  readonly lifecycle?: Lifecycle | undefined;
}

/** The version whose object form strategies use. */
export function hub<T extends ApiObject>(
  context: ApiContext,
  declaration: VersionDeclaration<T>,
): VersionDefinition<T> {
  return versionOf(context, declaration, { hub: true });
}

/** A converted version. The results of `toHub` and `fromHub` may share parts with their argument. */
export function spoke<T extends ApiObject, V extends ApiObject>(
  context: ApiContext,
  declaration: VersionDeclaration<V> & { toHub(object: V): T; fromHub(hub: T): V },
): VersionDefinition<T> {
  return versionOf(context, declaration, {
    hub: false,
    // Safe because this version's codec makes objects of type V.
    toHub: (object: ApiObject) => declaration.toHub(object as V),
    fromHub: (object: T) => declaration.fromHub(object),
  });
}

function versionOf<T extends ApiObject, V extends ApiObject>(
  context: ApiContext,
  declaration: VersionDeclaration<V>,
  conversion: VersionConversion<T>,
): VersionDefinition<T> {
  const { enabledByDefault, lifecycle, before } = declaration;
  const leveled = atLevel<LeveledAttributes>({ enabledByDefault, lifecycle }, before, context.level);
  let codec: Codec<ApiObject> | undefined;
  return {
    version: declaration.version,
    since: declaration.since,
    until: declaration.until,
    /** Looked up on first use: clients never ask for most kinds. */
    get codec(): Codec<ApiObject> {
      codec ??= context.schemas.codec<ApiObject>(declaration.type);
      return codec;
    },
    enabledByDefault: leveled.enabledByDefault ?? true,
    featureGate: declaration.featureGate,
    setDefaults: (object: ApiObject) => declaration.setDefaults?.(object as V), // the codec's form is V
    conversion,
    lifecycle: leveled.lifecycle,
    gatedFields: new GatedFields(() => context.schemas.message(declaration.type), context.isEnabled),
    columns: declaration.columns as TableColumns<ApiObject> | undefined, // they see the codec's form, V
    selectableFields: declaration.selectableFields,
  };
}
