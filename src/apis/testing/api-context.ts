import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { clientProfile, createNaming, type ProfileName } from "../../naming/naming.js";
import type { ApiContext, ApiOptions } from "../definition/api-context.js";
import type { WriteContext } from "../definition/strategy.js";
import { typePackages } from "../type-packages.js";

export interface TestContextChoices {
  /** Default: the oldest. */
  readonly level?: ApiLevel;
  /** Default: the names that clients use. */
  readonly profile?: ProfileName;
  /** Feature gates; others are on, except for one that adds an API which servers do not serve by default. */
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly options?: Partial<ApiOptions>;
}

/** A context with every built-in type, for tests of kinds. */
export function testApiContext(choices: TestContextChoices = {}): ApiContext {
  const naming = createNaming(choices.profile ?? clientProfile);
  const level = choices.level ?? oldestLevel;
  return {
    naming,
    level,
    schemas: new SchemaRegistry(typePackages, { level, fieldName: (neutral) => naming.field(neutral) }),
    isEnabled: (gate) => choices.gates?.[gate] ?? gate !== "StorageVersionAPI",
    options: { allowPrivileged: true, eventTtlSeconds: 3600, ...choices.options },
  };
}

/** A write by `user-1` (groups `group-1`) in namespace `ns` at 2022-01-01T00:00:00Z. */
export function testWriteContext(changes: Partial<WriteContext> = {}): WriteContext {
  const user: UserInfo = { name: "user-1", uid: "uid-1", groups: ["group-1"], extra: {} };
  return { namespace: "ns", user, now: new Date("2022-01-01T00:00:00Z"), dryRun: false, ...changes };
}
