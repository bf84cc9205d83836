import type { Toleration } from "../../apis/gen/core-v1.js";

/**
 * Removes tolerations that others make redundant; the rest keep the position of their first occurrence. Linear, because a pod may have
 * tens of thousands.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const unique = new Map([...first, ...second].map((toleration) => [textOf(toleration), toleration]));
  const reach = new TolerationReach([...unique.values()]);
  return [...unique.values()].filter((toleration) => !reach.exceeds(toleration));
}

/** Whether each of `tolerations` equals or is narrower than one of `allowed`. */
export function areCovered(tolerations: readonly Toleration[], allowed: readonly Toleration[]): boolean {
  const texts = new Set(allowed.map(textOf));
  const reach = new TolerationReach(allowed);
  return tolerations.every((toleration) => texts.has(textOf(toleration)) || reach.exceeds(toleration));
}

/** The taints that a set of tolerations covers, by key and effect. */
class TolerationReach {
  readonly #longest = new Map<string, number>();

  constructor(tolerations: readonly Toleration[]) {
    for (const toleration of tolerations) {
      const text = placeOf(toleration, operatorOf(toleration), keyOf(toleration), effectOf(toleration));
      this.#longest.set(text, Math.max(this.#longest.get(text) ?? -1, secondsOf(toleration)));
    }
  }

  /** Whether another one, not equal to it, covers `toleration`. */
  exceeds(toleration: Toleration): boolean {
    const own = placeOf(toleration, operatorOf(toleration), keyOf(toleration), effectOf(toleration));
    const longestOfOwn = this.#longest.get(own);
    if (longestOfOwn !== undefined && longestOfOwn > secondsOf(toleration)) return true;
    return widerPlaces(toleration).some(({ place, effect }) => {
      const longest = place === own ? undefined : this.#longest.get(place);
      return longest !== undefined && isLongEnough(longest, effect, toleration);
    });
  }
}

/** The places whose tolerations cover the taints of this one; its own place is one of them. */
function widerPlaces(toleration: Toleration): { readonly place: string; readonly effect: string }[] {
  const operators = operatorOf(toleration) === "Exists" ? ["Exists"] : ["Equal", "Exists"];
  const effects = [...new Set([effectOf(toleration), ""])];
  return operators.flatMap((operator) => {
    // A toleration without a key applies to every key only if it does not compare values.
    const keys = operator === "Exists" ? [keyOf(toleration), ""] : [keyOf(toleration)];
    return [...new Set(keys)].flatMap((key) =>
      effects.map((effect) => ({ place: placeOf(toleration, operator, key, effect), effect })),
    );
  });
}

function isLongEnough(longest: number, effect: string, toleration: Toleration): boolean {
  return effect !== "NoExecute" || longest >= secondsOf(toleration);
}

function placeOf(toleration: Toleration, operator: string, key: string, effect: string): string {
  return JSON.stringify([operator, key, effect, operator === "Exists" ? "" : (toleration.value ?? "")]);
}

function textOf({ key, operator, value, effect, tolerationSeconds }: Toleration): string {
  return JSON.stringify([
    key ?? "",
    operator ?? "Equal",
    value ?? "",
    effect ?? "",
    String(tolerationSeconds ?? ""),
  ]);
}

function operatorOf({ operator = "" }: Toleration): string {
  return operator === "" ? "Equal" : operator;
}

function keyOf({ key = "" }: Toleration): string {
  return key;
}

function effectOf({ effect = "" }: Toleration): string {
  return effect;
}

/** How long a `NoExecute` taint is tolerated; without a time, forever. */
function secondsOf({ tolerationSeconds }: Toleration): number {
  return tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Number(tolerationSeconds);
}
