import { formatTime } from "../../apimachinery/values/time.js";
import type { CustomResourceDefinition } from "../../apis/gen/apiextensions-v1.js";
import type { ControllerContext } from "../controller.js";
import { writeStatus } from "../status-write.js";

export interface MigratedDefinition {
  /** Name of the definition; a missing one means a built-in resource. */
  readonly name: string;
  /** Name of the user who writes. */
  readonly writer: string;
}

type Condition = NonNullable<CustomResourceDefinition["status"]["conditions"]>[number];
type Told = Pick<Condition, "status" | "reason" | "message">;

/** Records that a migration runs, and at which generation of the definition it began. */
export async function tellMigrating(
  context: ControllerContext,
  definition: MigratedDefinition,
  migration: string,
): Promise<void> {
  await change(context, definition, (object) => {
    const message = `Migration ${migration} is running`;
    setCondition(context, object, { status: "True", reason: "MigrationRunning", message });
  });
}

/**
 * Records the result of the migration. If it succeeded and the definition has not changed, all objects have its storage version, so
 * `storedVersions` lists only that: other versions may be removed from the definition.
 */
export async function tellMigrated(
  context: ControllerContext,
  definition: MigratedDefinition,
  succeeded: boolean,
): Promise<void> {
  await change(context, definition, (object) => {
    const begun = object.status.conditions?.find(({ type }) => type === migrating);
    const isSame = begun !== undefined && begun.observedGeneration === object.metadata.generation;
    const storage = object.spec.versions?.find((version) => version.storage);
    if (succeeded && isSame && storage !== undefined) object.status.storedVersions = [storage.name];
    const stored = isSame
      ? "and the stored versions have been updated"
      : "but the stored versions have not been updated due to a generation mismatch";
    setCondition(
      context,
      object,
      succeeded
        ? {
            status: "False",
            reason: "MigrationSucceeded",
            message: `The migration has succeeded ${stored}`,
          }
        : { status: "False", reason: "MigrationFailed", message: "The migration has failed" },
    );
  });
}

const migrating = "StorageMigrating";

function setCondition(context: ControllerContext, object: CustomResourceDefinition, told: Told): void {
  const others = (object.status.conditions ?? []).filter(({ type }) => type !== migrating);
  const lastTransitionTime = formatTime(Math.floor(context.now().getTime() / 1000));
  const { generation } = object.metadata;
  object.status.conditions = [
    ...others,
    {
      type: migrating,
      ...told,
      lastTransitionTime,
      ...(generation !== undefined && { observedGeneration: generation }),
    },
  ];
}

async function change(
  context: ControllerContext,
  { name, writer }: MigratedDefinition,
  of: (object: CustomResourceDefinition) => void,
): Promise<void> {
  await writeStatus(context, context.builtin("customresourcedefinitions.apiextensions"), {
    namespace: "",
    name,
    as: writer,
    change: of,
  });
}
