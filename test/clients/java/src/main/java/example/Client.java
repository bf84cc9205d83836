package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a Java program does with a cluster. Prints a line for each step that went well. */
public final class Client {
  private static final String NAMESPACE = "client-java";

  public static void main(String[] args) throws Exception {
    Config config = Config.fromKubeconfig(Files.readString(Path.of(args[0])));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      check(client.getKubernetesVersion().getMajor().equals("1"), "version");
      step("version");

      client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build()).create();
      for (int i = 0; i < 5; i++) client.resource(configMap("m" + i, "" + i)).create();
      check(client.configMaps().inNamespace(NAMESPACE).withName("m3").get().getData().get("n").equals("3"), "data");
      step("create and get");

      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      try (var watch = client.configMaps().inNamespace(NAMESPACE).withName("w").watch(new Watcher<ConfigMap>() {
        @Override
        public void eventReceived(Action action, ConfigMap map) {
          events.add(action.name());
        }

        @Override
        public void onClose(WatcherException cause) {
          events.add("closed: " + cause);
        }
      })) {
        client.resource(configMap("w", "1")).create();
        client.configMaps().inNamespace(NAMESPACE).withName("w").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"n\":\"2\"}}");
        client.configMaps().inNamespace(NAMESPACE).withName("w").delete();
        for (String want : List.of("ADDED", "MODIFIED", "DELETED")) check(want.equals(events.poll(30, TimeUnit.SECONDS)), want);
      }
      step("watch");

      ConfigMap stale = client.configMaps().inNamespace(NAMESPACE).withName("m0").get();
      client.configMaps().inNamespace(NAMESPACE).withName("m0").patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"x\":\"y\"}}]");
      try {
        client.resource(stale).update();
        throw new IllegalStateException("a stale update was taken");
      } catch (KubernetesClientException e) {
        check(e.getCode() == 409, "conflict");
      }
      step("conflict");

      ConfigMap applied = client.resource(configMap("applied", "1")).serverSideApply();
      check(applied.getMetadata().getManagedFields().get(0).getManager().equals("fabric8"), "manager");
      step("apply");

      client.namespaces().withName(NAMESPACE).delete();
      step("delete");
    }
    System.exit(0);
  }

  private static ConfigMap configMap(String name, String value) {
    return new ConfigMapBuilder().withNewMetadata().withNamespace(NAMESPACE).withName(name).endMetadata().addToData("n", value).build();
  }

  private static void check(boolean holds, String what) {
    if (!holds) throw new IllegalStateException("wrong: " + what);
  }

  private static void step(String name) {
    System.out.println("ok " + name);
  }
}
