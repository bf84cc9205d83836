import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { builtinResources } from "../../apis/builtin-resources.js";
import { convertToHub } from "../../apis/definition/resource-definition.js";
import { type TestContextChoices, testApiContext, testWriteContext } from "../../apis/testing/api-context.js";
import { builtinRegistries } from "../../registry/generic/builtin-registries.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import { createObjectStore } from "../../storage/store/object-store.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { silentLog } from "../../telemetry/testing/silent-log.js";
import { systemClock } from "../../time/clock.js";
import type { ControllerContext } from "../controller.js";

/** Registries of resources in memory, whose objects have the uids `uid-1`, `uid-2` and so on, and whose generated names end in numbers. */
export class TestRegistries {
  readonly context: ControllerContext;
  readonly #write = { ...testWriteContext(), signal: new AbortController().signal, warn() {} };
  readonly #registries: ReadonlyMap<string, ResourceRegistry>;

  constructor(
    resources: readonly string[],
    now: () => Date = () => new Date(),
    level: ApiLevel = oldestLevel,
    gates: TestContextChoices["gates"] = {},
  ) {
    const apiContext = testApiContext({ level, gates });
    const definitions = builtinResources(apiContext);
    let uids = 0;
    let suffixes = 0;
    const nameSuffix = () => String(++suffixes).padStart(5, "0");
    const random = { uid: () => `uid-${++uids}`, nameSuffix };
    this.#registries = new Map(
      resources.map((resource) => {
        const named = definitions.filter((each) => each.resource === resource);
        const definition = named.find(({ group }) => group === "") ?? named[0];
        if (definition === undefined) throw new Error(`no resource ${resource}`);
        const codec = createResourceCodec(definition, "json");
        const store = createObjectStore<ApiObject>({ kv: new MemoryStore(), prefix: `/${resource}/`, codec });
        return [resource, new ResourceRegistry({ definition, store, codec, random })];
      }),
    );
    this.context = {
      builtin: builtinRegistries((_group, resource) => this.of(resource), apiContext.naming),
      registries: () => this.#registries.values(),
      onRegistries: () => () => undefined,
      log: silentLog,
      clock: { ...systemClock, now: () => now().getTime() },
      now,
      fieldManager: "apiserver",
    };
  }

  of(resource: string): ResourceRegistry {
    const found = this.#registries.get(resource);
    if (found === undefined) throw new Error(`no resource ${resource}`);
    return found;
  }

  async create(resource: string, json: object): Promise<StoredObject<ApiObject>> {
    const registry = this.of(resource);
    const [version] = registry.definition.versions;
    if (version === undefined) throw new Error("the resource has a version");
    const view = createVersionedView(registry.definition, version);
    return await registry.create(this.#write, convertToHub(version, view.fromJson(json as never)));
  }

  async remove(resource: string, name: string, options: DeleteOptions = {}): Promise<void> {
    await this.of(resource).delete(this.#write, name, options);
  }
}
