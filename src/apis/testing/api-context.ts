import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  gateAt,
  gateDefault,
} from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { clientProfile, createNaming, type ProfileName } from "../../naming/naming.js";
import { builtinTypes } from "../builtin-types.js";
import type { ApiContext, ApiOptions } from "../definition/api-context.js";
import type { WriteContext } from "../definition/strategy.js";

export interface TestContextChoices {
  /** Default: the oldest. */
  readonly level?: ApiLevel;
  /** Default: the names that clients use. */
  readonly profile?: ProfileName;
  /**
   * Feature gates. At the oldest level all others that it has are on, except for one that adds an API which is not served by default; at
   * other levels they have their defaults.
   */
  readonly gates?: { readonly [N in FeatureGateName]?: boolean };
  readonly options?: Partial<ApiOptions>;
  /** Default: the machine's. */
  readonly now?: () => Date;
}

/** A context with every built-in type, for tests of kinds. */
export function testApiContext(choices: TestContextChoices = {}): ApiContext {
  const naming = createNaming(choices.profile ?? clientProfile);
  const level = choices.level ?? oldestLevel;
  return {
    naming,
    level,
    schemas: builtinTypes(naming, level),
    isEnabled: (gate) => choices.gates?.[gate] ?? isUsuallyOn(gate, level),
    options: { allowPrivileged: true, eventTtlSeconds: 3600, ...choices.options },
    now: choices.now ?? (() => new Date()),
  };
}

function isUsuallyOn(gate: FeatureGateName, level: ApiLevel): boolean {
  return level === oldestLevel && gateAt(gate, level) !== undefined
    ? gate !== "StorageVersionAPI"
    : gateDefault(gate, level);
}

/** A write by `user-1` (groups `group-1`) in namespace `ns` at 2022-01-01T00:00:00Z. */
export function testWriteContext(changes: Partial<WriteContext> = {}): WriteContext {
  const user: UserInfo = { name: "user-1", uid: "uid-1", groups: ["group-1"], extra: {} };
  return { namespace: "ns", user, now: new Date("2022-01-01T00:00:00Z"), dryRun: false, ...changes };
}
