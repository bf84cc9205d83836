import { type CoreV1Api, type KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";

const label = "example.com/copy-to";

/** Keeps a copy of each labelled config map in the namespace that its label names. Returns what stops it. */
export async function keepCopies(config: KubeConfig, core: CoreV1Api): Promise<() => Promise<void>> {
  const informer = makeInformer(
    config,
    "/api/v1/configmaps",
    () => core.listConfigMapForAllNamespaces({ labelSelector: label }),
    label,
  );
  const copy = async ({ metadata, data }: V1ConfigMap): Promise<void> => {
    const namespace = metadata?.labels?.[label] ?? "";
    const name = metadata?.name ?? "";
    const body = { metadata: { name }, ...(data !== undefined && { data }) };
    try {
      await core.createNamespacedConfigMap({ namespace, body });
    } catch {
      await core.replaceNamespacedConfigMap({ namespace, name, body }).catch(() => undefined);
    }
  };
  const remove = async ({ metadata }: V1ConfigMap): Promise<void> => {
    const namespace = metadata?.labels?.[label] ?? "";
    await core.deleteNamespacedConfigMap({ namespace, name: metadata?.name ?? "" }).catch(() => undefined);
  };
  informer.on("add", (map) => void copy(map));
  informer.on("update", (map) => void copy(map));
  informer.on("delete", (map) => void remove(map));
  informer.on("error", () => setTimeout(() => void informer.start().catch(() => undefined), 100));
  await informer.start();
  return () => informer.stop();
}
