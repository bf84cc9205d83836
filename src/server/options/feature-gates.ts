import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  featureGateNames,
  gateAt,
  gateDefault,
} from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { GateState } from "../../apimachinery/levels/feature-gates/gate-history.js";
import { gatesElsewhere } from "../../apimachinery/levels/feature-gates/gates-elsewhere.js";
import type { Naming } from "../../naming/naming.js";
import { gatesNotFollowed } from "./gates-not-followed.js";
import type { ParseResult } from "./option.js";
import { parseBool, type ValueType } from "./value-types.js";

/** Switches that set every gate of a stage which is not named itself. */
const stageOfSwitch = { AllAlpha: "alpha", AllBeta: "beta" } as const;
type StageSwitch = keyof typeof stageOfSwitch;

/** The gates set by name. */
export type FeatureGateSettings = ReadonlyMap<FeatureGateName | StageSwitch, boolean>;

/** The gates that were set and have no effect here. */
export function gatesWithoutEffect(settings: FeatureGateSettings): readonly FeatureGateName[] {
  return featureGateNames.filter((name) => settings.has(name) && isWithoutEffect(name));
}

export function isWithoutEffect(name: FeatureGateName): boolean {
  return Object.hasOwn(gatesElsewhere, name) || gatesNotFollowed.has(name);
}

/** Warnings about gates that were set and will be removed. */
export function gateWarnings(
  settings: FeatureGateSettings,
  level: ApiLevel,
  naming: Naming,
): readonly string[] {
  return [...settings].flatMap(([name, value]) => {
    const stage = isSwitch(name) ? undefined : gateAt(name, level)?.stage;
    return stage === "GA" || stage === "deprecated"
      ? [
          `Setting ${stage} feature gate ${naming.featureGate(name)}=${value}. It will be removed in a future release.`,
        ]
      : [];
  });
}

/** The gates in force at a level. */
export class FeatureGates {
  readonly #settings: FeatureGateSettings;
  readonly level: ApiLevel;
  readonly #enabled = new Map<FeatureGateName, boolean>();

  constructor(settings: FeatureGateSettings, level: ApiLevel) {
    this.#settings = settings;
    this.level = level;
  }

  /** Also for gates that the level lacks: the behaviour of the level's servers. May be called without its object. */
  readonly isEnabled = (name: FeatureGateName): boolean => {
    let isEnabled = this.#enabled.get(name);
    if (isEnabled === undefined) {
      isEnabled = this.#decide(name);
      this.#enabled.set(name, isEnabled);
    }
    return isEnabled;
  };

  /**
   * Whether to serve a feature that newer clients rely on: at 1.23, unless its gate is explicitly false, even if its default was false;
   * at later levels as the gate says.
   */
  served(name: FeatureGateName): boolean {
    return this.level === "1.23" ? this.#settings.get(name) !== false : this.isEnabled(name);
  }

  /** Every gate that the level knows, and the switches of whole stages. */
  known(): readonly {
    readonly name: FeatureGateName | StageSwitch;
    readonly stage: GateState["stage"];
    readonly isEnabled: boolean;
  }[] {
    return [
      ...stageSwitches.map((name) => ({
        name,
        stage: stageOfSwitch[name],
        isEnabled: this.#settings.get(name) ?? false,
      })),
      ...featureGateNames.flatMap((name) => {
        const state = gateAt(name, this.level);
        return state === undefined ? [] : [{ name, stage: state.stage, isEnabled: this.isEnabled(name) }];
      }),
    ];
  }

  #decide(name: FeatureGateName): boolean {
    const state = gateAt(name, this.level);
    if (state === undefined) return gateDefault(name, this.level);
    const named = this.#settings.get(name);
    if (named !== undefined) return named;
    const stageSwitch = stageSwitches.find((candidate) => stageOfSwitch[candidate] === state.stage);
    const ofStage = stageSwitch === undefined ? undefined : this.#settings.get(stageSwitch);
    return ofStage ?? state.default;
  }
}

/** `Name=true|false,...` in the profile's names or the neutral ones; a gate that is set itself wins over AllAlpha and AllBeta. */
export const featureGateSettings: ValueType<FeatureGateSettings> = {
  typeName: "mapStringBool",
  parse: parseSettings,
  format: (settings, naming) =>
    [...settings].map(([name, value]) => `${naming.featureGate(name)}=${value}`).join(","),
};

/** `Name=true|false (ALPHA - default=false)` for what is alpha or beta at the level, sorted. */
export function describeFeatureGates(naming: Naming, level: ApiLevel): readonly string[] {
  const switches = stageSwitches.map((name) => describeGate(name, stageOfSwitch[name], false));
  const gates = featureGateNames.flatMap((name) => {
    const state = gateAt(name, level);
    return state?.stage === "alpha" || state?.stage === "beta"
      ? [describeGate(naming.featureGate(name), state.stage, state.default)]
      : [];
  });
  return [...switches, ...gates].sort();
}

function describeGate(name: string, stage: GateState["stage"], initial: boolean): string {
  return `${name}=true|false (${stage.toUpperCase()} - default=${initial})`;
}

function parseSettings(
  given: string,
  previous: FeatureGateSettings | undefined,
  naming: Naming,
  level: ApiLevel,
): ParseResult<FeatureGateSettings> {
  const settings = new Map(previous);
  for (const item of given.split(",")) {
    if (item === "") continue;
    const equals = item.indexOf("=");
    const key = (equals < 0 ? item : item.slice(0, equals)).trim();
    if (equals < 0) return { problem: `missing bool value for ${key}` };
    const name = withoutComponent(key, naming, level);
    if (typeof name !== "string") return name;
    const gate = findGate(name, naming);
    if (gate === undefined) return { problem: unrecognized(name, naming, level) };
    const value = parseBool(item.slice(equals + 1).trim());
    if ("problem" in value) return { problem: `${name}: ${value.problem}` };
    const problem = settingProblem(gate, value.value, naming, level);
    if (problem !== undefined) return { problem };
    settings.set(gate, value.value);
  }
  return { value: settings };
}

/** Since 1.32, a gate may be prefixed with its component. */
function withoutComponent(
  key: string,
  naming: Naming,
  level: ApiLevel,
): string | { readonly problem: string } {
  const colon = key.indexOf(":");
  if (colon < 0 || !isAtLeast(level, "1.32")) return key;
  const component = key.slice(0, colon);
  if (component !== naming.prefix) return { problem: `component not registered: ${component}` };
  return key.slice(colon + 1);
}

/** Why the gate cannot be set so at the level; undefined when it can. */
export function settingProblem(
  gate: FeatureGateName | StageSwitch,
  value: boolean,
  naming: Naming,
  level: ApiLevel,
): string | undefined {
  if (isSwitch(gate)) return undefined;
  const state = gateAt(gate, level);
  const name = naming.featureGate(gate);
  if (state === undefined) return unrecognized(name, naming, level);
  return state.locked === true && value !== state.default
    ? `cannot set feature gate ${name} to ${value}, feature is locked to ${state.default}`
    : undefined;
}

const stageSwitches: readonly StageSwitch[] = ["AllAlpha", "AllBeta"];

function isSwitch(name: string): name is StageSwitch {
  return name === "AllAlpha" || name === "AllBeta";
}

function findGate(name: string, naming: Naming): FeatureGateName | StageSwitch | undefined {
  if (isSwitch(name)) return name;
  return featureGateNames.find((gate) => gate === name || naming.featureGate(gate) === name);
}

function unrecognized(name: string, naming: Naming, level: ApiLevel): string {
  const atLevel = featureGateNames.filter((gate) => gateAt(gate, level) !== undefined);
  const known = [...stageSwitches, ...atLevel.map((gate) => naming.featureGate(gate))].sort();
  return `unrecognized feature gate: ${name} (known: ${known.join(", ")})`;
}
