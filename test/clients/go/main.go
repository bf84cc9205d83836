// What a Go program does with a cluster. Prints a line for each step that went well.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "client-go"

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(holds bool, what string) {
	if !holds {
		fmt.Fprintln(os.Stderr, "wrong:", what)
		os.Exit(1)
	}
}

func step(name string) { fmt.Println("ok", name) }

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"n": value}}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	// Protobuf, as the components of a cluster speak it.
	config.ContentType = "application/vnd.kubernetes.protobuf"
	clients, err := kubernetes.NewForConfig(config)
	must(err)
	version, err := clients.Discovery().ServerVersion()
	must(err)
	check(version.Major == "1", "version")
	step("version")

	_, err = clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(err)
	maps := clients.CoreV1().ConfigMaps(namespace)
	for i := range 5 {
		_, err = maps.Create(ctx, configMap(fmt.Sprintf("m%d", i), fmt.Sprint(i)), metav1.CreateOptions{})
		must(err)
	}
	got, err := maps.Get(ctx, "m3", metav1.GetOptions{})
	must(err)
	check(got.Data["n"] == "3", "data")
	step("create and get")

	seen, token := 0, ""
	for {
		page, err := maps.List(ctx, metav1.ListOptions{Limit: 2, Continue: token, FieldSelector: "metadata.name!=kube-root-ca.crt"})
		must(err)
		seen += len(page.Items)
		token = page.Continue
		if token == "" {
			break
		}
	}
	check(seen == 5, fmt.Sprintf("%d items in chunks", seen))
	step("list in chunks")

	list, err := maps.List(ctx, metav1.ListOptions{})
	must(err)
	watcher, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, FieldSelector: "metadata.name=w"})
	must(err)
	_, err = maps.Create(ctx, configMap("w", "1"), metav1.CreateOptions{})
	must(err)
	_, err = maps.Patch(ctx, "w", types.MergePatchType, []byte(`{"data":{"n":"2"}}`), metav1.PatchOptions{})
	must(err)
	must(maps.Delete(ctx, "w", metav1.DeleteOptions{}))
	for _, want := range []string{"ADDED", "MODIFIED", "DELETED"} {
		event := <-watcher.ResultChan()
		check(string(event.Type) == want, "event "+string(event.Type))
	}
	watcher.Stop()
	step("watch")

	stale, err := maps.Get(ctx, "m0", metav1.GetOptions{})
	must(err)
	_, err = maps.Patch(ctx, "m0", types.JSONPatchType, []byte(`[{"op":"add","path":"/metadata/labels","value":{"x":"y"}}]`), metav1.PatchOptions{})
	must(err)
	_, err = maps.Update(ctx, stale, metav1.UpdateOptions{})
	check(apierrors.IsConflict(err), "conflict")
	step("conflict")

	applied, err := maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"}), metav1.ApplyOptions{FieldManager: "one"})
	must(err)
	check(applied.ManagedFields[0].Manager == "one", "manager")
	_, err = maps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "2"}), metav1.ApplyOptions{FieldManager: "two"})
	check(apierrors.IsConflict(err), "apply conflict")
	step("apply")

	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	lister := factory.Core().V1().ConfigMaps().Lister()
	factory.Start(ctx.Done())
	for _, synced := range factory.WaitForCacheSync(ctx.Done()) {
		check(synced, "informer")
	}
	_, err = maps.Create(ctx, configMap("late", "1"), metav1.CreateOptions{})
	must(err)
	check(cache.WaitForCacheSync(ctx.Done(), func() bool {
		_, err := lister.ConfigMaps(namespace).Get("late")
		return err == nil
	}), "late object in the informer")
	step("informer")

	must(clients.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{}))
	step("delete")
}
