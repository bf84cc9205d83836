import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take much longer than their size tells. At the end of a run one of them would keep one core busy, and the others idle. */
const longFiles = [
  "src/serving/http/draining",
  "src/serving/http/stray-bytes",
  "src/storage/embedded/embedded-store",
  "test/e2e/key-service",
  "test/e2e/key-service-v2",
  "test/e2e/lab-clock",
  "test/e2e/large-objects",
  "test/e2e/storage-options",
  "test/e2e/versions",
  "test/registry/builtin-kinds",
  "test/soak/hostile",
  "test/soak/large-list",
  "test/soak/load-shedding",
].map((name) => `/${name}.test.ts`);

const isLong = ({ moduleId }: TestSpecification): boolean =>
  longFiles.some((file) => moduleId.endsWith(file));

/** Vitest starts the files first that took longest in the run before, or that are largest, if there was none. Here long ones come first even then. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
