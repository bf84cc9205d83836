import { afterEach, expect, test, vi } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { TestCluster } from "../testing/test-cluster.js";
import { Jobs } from "./jobs.js";

let ground: TestCluster;

afterEach(() => ground.stop());

async function startWith(spec: object, level: ApiLevel = "1.35"): Promise<void> {
  ground = new TestCluster(level);
  await ground.start((cluster) => new Jobs(cluster));
  const labels = { "job-name": "work" };
  await ground.registries.create("jobs", {
    metadata: { name: "work", namespace: "ns" },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: "NonIndexed",
      suspend: false,
      manualSelector: true,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { restartPolicy: "Never", containers: [{ name: "c", image: "work:1" }] },
      },
      ...spec,
    },
  });
}

const status = async () => {
  const { active = 0, succeeded = 0, failed = 0 } = (await ground.find("jobs.batch", "work"))?.status ?? {};
  return { active, succeeded, failed };
};

const ending = async () => {
  const { conditions = [] } = (await ground.find("jobs.batch", "work"))?.status ?? {};
  return conditions.map(({ type, reason }) => `${type}: ${reason ?? ""}`);
};

/** The names of the pods that neither ended nor are being deleted, by their index if they have one. */
const running = async () => {
  const pods = (await ground.pods()).filter(
    ({ metadata, status: { phase = "Pending" } }) =>
      metadata.deletionTimestamp === undefined && (phase === "Pending" || phase === "Running"),
  );
  const indexOf = ({ metadata }: (typeof pods)[number]) =>
    metadata.annotations?.["batch.kubernetes.io/job-completion-index"] ?? "";
  return pods
    .map((pod) => ({ index: indexOf(pod), name: pod.metadata.name ?? "", metadata: pod.metadata }))
    .sort((a, b) => a.index.localeCompare(b.index));
};

const indexes = async () => (await running()).map(({ index }) => index).join(",");

async function nameOf(index: string): Promise<string> {
  await expect.poll(indexes).toContain(index);
  return (await running()).find((pod) => pod.index === index)?.name ?? "";
}

const change = (
  work: (spec: { parallelism?: number | undefined; completions?: number | undefined }) => void,
) =>
  ground.cluster
    .writer("test")
    .change("jobs.batch", { namespace: "ns", name: "work" }, ({ spec }) => work(spec));

const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 };

test("a pod that is deleted while it runs has failed", async () => {
  await startWith({ backoffLimit: 0 });
  await ground.removePod(await nameOf(""));
  await expect.poll(ending).toContain("Failed: BackoffLimitExceeded");
  expect(await status()).toEqual({ active: 0, succeeded: 0, failed: 1 });
});

test("up to 1.24, jobs count the pods that exist", async () => {
  await startWith({ backoffLimit: 0 }, "1.24");
  const name = await nameOf("");
  await ground.removePod(name);
  await expect.poll(async () => (await running()).some((pod) => pod.name !== name)).toBe(true);
  expect(await status()).toMatchObject({ active: 1, failed: 0 });
});

test("pods that ended stay counted when they are deleted", async () => {
  await startWith({ completions: 2 });
  const name = await nameOf("");
  await ground.setPhase(name, "Succeeded");
  await expect.poll(status).toEqual({ active: 1, succeeded: 1, failed: 0 });
  await ground.removePod(name);
  await ground.setPhase(await nameOf(""), "Succeeded");
  await expect.poll(ending).toContain("Complete: CompletionsReached");
  expect(await status()).toEqual({ active: 0, succeeded: 2, failed: 0 });
});

test("pods that a smaller job does not need have not failed", async () => {
  await startWith(indexed);
  await ground.setPhase(await nameOf("0"), "Succeeded");
  await expect.poll(status).toMatchObject({ succeeded: 1 });
  await change((spec) => {
    spec.completions = 1;
    spec.parallelism = 1;
  });
  await expect.poll(ending).toContain("Complete: CompletionsReached");
  expect(await status()).toEqual({ active: 0, succeeded: 1, failed: 0 });
});

test("a job that loses indexes stops their pods first", async () => {
  await startWith(indexed);
  await nameOf("2");
  await change((spec) => {
    spec.completions = 1;
    spec.parallelism = 1;
  });
  await expect.poll(indexes).toBe("0");
});

test("an index that failed does not hold up the others, and its next pod says how often it did", async () => {
  await startWith({ ...indexed, parallelism: 2, backoffLimitPerIndex: 1, backoffLimit: 9 });
  await ground.setPhase(await nameOf("0"), "Failed");
  await expect.poll(status).toMatchObject({ active: 1, failed: 1 });
  await ground.setPhase(await nameOf("1"), "Succeeded");
  await expect.poll(indexes).toBe("2");
  await ground.clock.advance(10_000);
  await expect.poll(indexes).toBe("0,2");
  const [next] = await running();
  expect(next?.metadata.annotations).toMatchObject({ "batch.kubernetes.io/job-index-failure-count": "1" });
});

test("a condition that a client writes during a pass stays", async () => {
  await startWith({ suspend: true });
  await expect.poll(ending).toEqual(["Suspended: JobSuspended"]);
  const target = { namespace: "ns", name: "work" };
  const client = ground.cluster.writer("client");
  const pods = ground.cluster.context.builtin("pods");
  const create = pods.create.bind(pods);
  vi.spyOn(pods, "create").mockImplementationOnce(async (...args) => {
    await client.changePart("jobs.batch", target, ({ status }) => {
      status.conditions = [...(status.conditions ?? []), { type: "Checked", status: "True" }];
    });
    return await create(...args);
  });
  await client.change("jobs.batch", target, ({ spec }) => {
    spec.suspend = false;
  });
  await expect.poll(status).toMatchObject({ active: 1 });
  expect(await ending()).toEqual(["Suspended: JobResumed", "Checked: "]);
});
