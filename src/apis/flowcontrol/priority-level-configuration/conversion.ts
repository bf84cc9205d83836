import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { PriorityLevelConfiguration } from "../../gen/flowcontrol-v1.js";
import type { PriorityLevelConfiguration as BetaPriorityLevel } from "../../gen/flowcontrol-v1beta2.js";
import type { ObjectMeta } from "../../gen/meta-v1.js";
import { defaultShares } from "./defaults.js";

/** Zero shares mean unset in v1beta1 and v1beta2, unless the annotation `zeroShares` is set, which v1 does not have. */
export function priorityLevelFromBeta(
  object: BetaPriorityLevel,
  zeroShares: string,
): PriorityLevelConfiguration {
  const { metadata, spec, ...rest } = object;
  const { limited, exempt, ...common } = spec;
  return {
    ...rest,
    metadata: withoutAnnotation(metadata, zeroShares),
    spec: {
      ...common,
      ...(limited !== undefined && { limited: limitedFromBeta(limited) }),
      ...(exempt !== undefined && {
        exempt: {
          nominalConcurrencyShares: exempt.nominalConcurrencyShares ?? 0,
          lendablePercent: exempt.lendablePercent ?? 0,
        },
      }),
    },
  };
}

/** Zero shares mean unset in v1beta3 too. */
export function priorityLevelFromV1beta3(
  object: PriorityLevelConfiguration,
  zeroShares: string,
): PriorityLevelConfiguration {
  return { ...object, metadata: withoutAnnotation(object.metadata, zeroShares) };
}

export function priorityLevelToV1beta3(
  object: PriorityLevelConfiguration,
  zeroShares: string,
): PriorityLevelConfiguration {
  const { limited } = object.spec;
  return limited?.nominalConcurrencyShares === 0
    ? { ...object, metadata: withAnnotation(object.metadata, zeroShares) }
    : object;
}

/** Levels without the field leave out a percentage of zero, so that objects without newer fields are stored as 1.23 stores them. */
export function priorityLevelToBeta(
  object: PriorityLevelConfiguration,
  zeroShares: string,
  level: ApiLevel,
): BetaPriorityLevel {
  const { metadata, spec, ...rest } = object;
  const { limited, ...common } = spec;
  if (limited === undefined) return { ...rest, metadata, spec: common };
  const { nominalConcurrencyShares = defaultShares, limitResponse, lendablePercent = 0, ...others } = limited;
  return {
    ...rest,
    metadata: nominalConcurrencyShares === 0 ? withAnnotation(metadata, zeroShares) : metadata,
    spec: {
      ...common,
      limited: {
        assuredConcurrencyShares: nominalConcurrencyShares,
        limitResponse,
        ...((lendablePercent !== 0 || isAtLeast(level, "1.26")) && { lendablePercent }),
        ...others,
      },
    },
  };
}

type Limited<Level extends { spec: { limited?: unknown } }> = NonNullable<Level["spec"]["limited"]>;

function limitedFromBeta(limited: Limited<BetaPriorityLevel>): Limited<PriorityLevelConfiguration> {
  const { assuredConcurrencyShares, lendablePercent = 0, ...others } = limited;
  return { nominalConcurrencyShares: assuredConcurrencyShares, lendablePercent, ...others };
}

function withAnnotation(metadata: ObjectMeta, name: string): ObjectMeta {
  return { ...metadata, annotations: { ...metadata.annotations, [name]: "" } };
}

function withoutAnnotation(metadata: ObjectMeta, name: string): ObjectMeta {
  if (metadata.annotations?.[name] === undefined) return metadata;
  const { [name]: _removed, ...annotations } = metadata.annotations;
  return { ...metadata, annotations: Object.keys(annotations).length === 0 ? undefined : annotations };
}
