import { isDeepEqual } from "../apimachinery/collections/deep-equal.js";
import { type ApiLevel, isAtLeast } from "../apimachinery/levels/api-level.js";
import type { ApiObject } from "../apimachinery/objects/meta.js";
import { timestamp } from "../apimachinery/values/time.js";
import { partStrategy } from "../apis/definition/resource-definition.js";
import type {
  FlowSchema,
  FlowSchemaSpec,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from "../apis/gen/flowcontrol-v1.js";
import type { ChangeListener, Lister } from "../informers/informer.js";
import {
  type Controller,
  type ControllerContext,
  type ServerWriteOptions,
  serverWrite,
} from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreAlreadyExists, ignoreNotFound, ignoreNotFoundOrConflict } from "./ignore-errors.js";
import type { WorkQueue } from "./work-queue.js";

/** Objects that every cluster has, by name. */
export interface BootstrapObjects<Spec> {
  /** Their specs are fixed. */
  readonly mandatory: ReadonlyMap<string, Spec>;
  /** Their specs are maintained unless an operator takes over. */
  readonly suggested: ReadonlyMap<string, Spec>;
  /** The maintained spec, with the current values of fields that operators may set. */
  readonly merge?: (wanted: Spec, current: Spec) => Spec;
}

interface Followed<T> extends Lister<T> {
  onChange(listener: ChangeListener<T>): () => void;
}

export interface FlowControlObjectsParts {
  readonly context: ControllerContext;
  readonly level: ApiLevel;
  readonly schemas: Followed<FlowSchema>;
  readonly levels: Followed<PriorityLevelConfiguration>;
  readonly bootstrapSchemas: BootstrapObjects<FlowSchemaSpec>;
  readonly bootstrapLevels: BootstrapObjects<PriorityLevelConfigurationSpec>;
  /** Whether the server maintains a suggested spec: "true" or "false". */
  readonly autoUpdateAnnotation: string;
}

interface Item {
  readonly resource: "flowschemas" | "prioritylevelconfigurations";
  readonly name: string;
}

/** The manager and the version with which Kubernetes of this level writes the specs of flow control objects. */
export function flowControlProducer(level: ApiLevel): ServerWriteOptions {
  return { version: versionAt(level), fieldManager: "api-priority-and-fairness-config-producer-v1" };
}

/** The same for their status. */
function flowControlConsumer(level: ApiLevel): ServerWriteOptions {
  return { version: versionAt(level), fieldManager: "api-priority-and-fairness-config-consumer-v1" };
}

function versionAt(level: ApiLevel): string {
  if (isAtLeast(level, "1.29")) return "v1";
  return isAtLeast(level, "1.26") ? "v1beta3" : "v1beta2";
}

/** Deleted suggested objects are restored within this time. */
const ensureMs = 60_000;

/**
 * Maintains the objects of flow control: mandatory and suggested ones exist with their specs, and each flow schema says whether its
 * priority level exists (condition Dangling). Source: Kubernetes documentation, "API Priority and Fairness", "Maintenance of the
 * Mandatory and Suggested Configuration Objects".
 */
export class FlowControlObjects implements Controller {
  readonly #parts: FlowControlObjectsParts;
  readonly #queue: WorkQueue<string>;
  #unsubscribe: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FlowControlObjectsParts) {
    this.#parts = parts;
    this.#queue = controllerQueue(parts.context, {
      name: "priority_and_fairness_config_queue",
      work: (key) => this.#repair(itemOf(key)),
      workers: 4,
      file: "controllers/flow-control-objects",
      failure: "an object of flow control could not be repaired",
      about: (key) => ({ key }),
    });
  }

  async start(): Promise<void> {
    const { schemas, levels } = this.#parts;
    this.#unsubscribe = [
      schemas.onChange(({ key }) => this.#queue.add(keyOf({ resource: "flowschemas", name: key }))),
      levels.onChange(({ key, value, previous }) => {
        this.#queue.add(keyOf({ resource: "prioritylevelconfigurations", name: key }));
        if ((value === undefined) !== (previous === undefined)) this.#lookAtSchemasOf(key);
      }),
    ];
    this.#ensureAll();
    this.#timer = setInterval(() => this.#ensureAll(), ensureMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#queue.close();
  }

  #ensureAll(): void {
    const { schemas, levels, bootstrapSchemas, bootstrapLevels } = this.#parts;
    for (const name of namesOf(bootstrapLevels)) {
      this.#queue.add(keyOf({ resource: "prioritylevelconfigurations", name }));
    }
    for (const name of namesOf(bootstrapSchemas)) this.#queue.add(keyOf({ resource: "flowschemas", name }));
    for (const { metadata } of levels.values()) {
      this.#queue.add(keyOf({ resource: "prioritylevelconfigurations", name: metadata.name ?? "" }));
    }
    for (const { metadata } of schemas.values()) {
      this.#queue.add(keyOf({ resource: "flowschemas", name: metadata.name ?? "" }));
    }
  }

  #lookAtSchemasOf(level: string): void {
    for (const { metadata, spec } of this.#parts.schemas.values()) {
      if (spec.priorityLevelConfiguration.name !== level) continue;
      this.#queue.add(keyOf({ resource: "flowschemas", name: metadata.name ?? "" }));
    }
  }

  async #repair({ resource, name }: Item): Promise<void> {
    if (resource === "flowschemas") {
      const schema = this.#parts.schemas.get(name);
      if (await this.#repairSpec({ resource, name }, schema, this.#parts.bootstrapSchemas)) return;
      if (schema !== undefined) await this.#repairCondition(schema);
    } else {
      const level = this.#parts.levels.get(name);
      await this.#repairSpec({ resource, name }, level, this.#parts.bootstrapLevels);
    }
  }

  /** Whether anything was written, which decides when to check again. */
  async #repairSpec<Spec>(
    item: Item,
    current: (ApiObject & { readonly spec: Spec }) | undefined,
    { mandatory, suggested, merge }: BootstrapObjects<Spec>,
  ): Promise<boolean> {
    const required = mandatory.get(item.name);
    const wanted = required ?? suggested.get(item.name);
    if (wanted === undefined) return await this.#deleteUnknown(item, current);
    if (current === undefined) {
      await this.#create(item, wanted);
      return true;
    }
    const { autoUpdateAnnotation: annotation } = this.#parts;
    const isKept = required !== undefined || keepsUpToDate(current, annotation);
    const spec = isKept ? (merge?.(wanted, current.spec) ?? wanted) : current.spec;
    if (isDeepEqual(spec, current.spec) && annotated(current, annotation) === isKept) return false;
    await this.#update(item, (object) => {
      if (annotated(object, annotation) !== isKept) {
        object.metadata.annotations = { ...object.metadata.annotations, [annotation]: String(isKept) };
      }
      // Both kinds have a spec, and this is of the same one.
      (object as ApiObject & { spec: Spec }).spec = structuredClone(spec);
    });
    return true;
  }

  /** Deletes an object that an earlier version of the server maintained. */
  async #deleteUnknown({ resource, name }: Item, current: ApiObject | undefined): Promise<boolean> {
    const { context, level, autoUpdateAnnotation } = this.#parts;
    if (current === undefined || annotated(current, autoUpdateAnnotation) !== true) return false;
    const { uid, resourceVersion } = current.metadata;
    const registry = context.builtin(`${resource}.flowcontrol.apiserver`);
    const write = serverWrite(context, "", flowControlProducer(level));
    // A change in between has its own event, which triggers this check again.
    await ignoreNotFoundOrConflict(registry.delete(write, name, { preconditions: { uid, resourceVersion } }));
    return true;
  }

  async #repairCondition(schema: FlowSchema): Promise<void> {
    const level = schema.spec.priorityLevelConfiguration.name;
    const exists = this.#parts.levels.get(level) !== undefined;
    const wanted = danglingCondition(level, exists, this.#parts.context.now());
    const current = schema.status.conditions?.find(({ type }) => type === wanted.type);
    if (
      current !== undefined &&
      current.status === wanted.status &&
      current.reason === wanted.reason &&
      current.message === wanted.message
    ) {
      return;
    }
    const isSame = current !== undefined && current.status === wanted.status;
    const lastTransitionTime = (isSame ? current.lastTransitionTime : undefined) ?? wanted.lastTransitionTime;
    await this.#writeCondition(schema.metadata.name ?? "", { ...wanted, lastTransitionTime });
  }

  /** Managed fields show that Kubernetes applies the condition since 1.26, and updates the status before. */
  async #writeCondition(name: string, condition: DanglingCondition): Promise<void> {
    const { context, level } = this.#parts;
    const registry = context.builtin("flowschemas.flowcontrol.apiserver");
    const write = serverWrite(context, "", flowControlConsumer(level));
    const strategy = partStrategy(registry.definition, "status");
    const written = isAtLeast(level, "1.26")
      ? registry.apply(write, name, { status: { conditions: [condition] } }, { strategy })
      : registry.change(
          write,
          name,
          (schema) => {
            const others = (schema.status.conditions ?? []).filter(({ type }) => type !== condition.type);
            schema.status.conditions = [...others, condition];
          },
          { strategy },
        );
    await ignoreNotFound(written);
  }

  async #create({ resource, name }: Item, spec: unknown): Promise<void> {
    const { context, level, autoUpdateAnnotation } = this.#parts;
    const object = {
      metadata: { name, annotations: { [autoUpdateAnnotation]: "true" } },
      spec: structuredClone(spec),
      status: {},
    } as FlowSchema | PriorityLevelConfiguration; // the spec is of the same resource
    const write = serverWrite(context, "", flowControlProducer(level));
    await ignoreAlreadyExists(context.builtin(`${resource}.flowcontrol.apiserver`).create(write, object));
  }

  async #update({ resource, name }: Item, change: (object: ApiObject) => void): Promise<void> {
    const { context, level } = this.#parts;
    const registry = context.builtin(`${resource}.flowcontrol.apiserver`);
    await ignoreNotFound(registry.change(serverWrite(context, "", flowControlProducer(level)), name, change));
  }
}

/** Without the annotation, an object is maintained as long as nobody has changed it. */
function keepsUpToDate(object: ApiObject, annotation: string): boolean {
  return annotated(object, annotation) ?? Number(object.metadata.generation ?? 1) === 1;
}

const trueTexts = new Set(["1", "t", "T", "true", "True", "TRUE"]);
const falseTexts = new Set(["0", "f", "F", "false", "False", "FALSE"]);

/** The annotation as Go's `strconv.ParseBool` reads it. Undefined when it is missing or no boolean. */
function annotated({ metadata }: ApiObject, annotation: string): boolean | undefined {
  const text = metadata.annotations?.[annotation] ?? "";
  if (trueTexts.has(text)) return true;
  return falseTexts.has(text) ? false : undefined;
}

type DanglingCondition = Readonly<
  Record<"type" | "status" | "reason" | "message" | "lastTransitionTime", string>
>;

function danglingCondition(level: string, exists: boolean, now: Date): DanglingCondition {
  const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return {
    type: "Dangling",
    status: exists ? "False" : "True",
    reason: exists ? "Found" : "NotFound",
    message: exists ? `${subject} and it exists` : `${subject} but there is no such object`,
    lastTransitionTime: timestamp(now),
  };
}

function namesOf({ mandatory, suggested }: Omit<BootstrapObjects<unknown>, "merge">): readonly string[] {
  return [...mandatory.keys(), ...suggested.keys()];
}

function keyOf({ resource, name }: Item): string {
  return `${resource}/${name}`;
}

function itemOf(key: string): Item {
  const slash = key.indexOf("/");
  const resource = key.slice(0, slash) === "flowschemas" ? "flowschemas" : "prioritylevelconfigurations";
  return { resource, name: key.slice(slash + 1) };
}
