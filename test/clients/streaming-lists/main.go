// Informers of client-go that begin with a streaming list. Prints a line for each that went well.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "streaming-lists"

var resource = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

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

// reads counts what an informer asks for.
type reads struct {
	next    http.RoundTripper
	mutex   sync.Mutex
	streams int
	lists   int
}

func (r *reads) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	if request.Method == http.MethodGet && strings.HasSuffix(request.URL.Path, "/configmaps") {
		r.mutex.Lock()
		if query.Get("watch") == "" {
			r.lists++
		} else if query.Get("sendInitialEvents") == "true" {
			r.streams++
		}
		r.mutex.Unlock()
	}
	return r.next.RoundTrip(request)
}

func observed(config *rest.Config) (*rest.Config, *reads) {
	counts := &reads{}
	copied := rest.CopyConfig(config)
	copied.QPS, copied.Burst = -1, -1
	copied.Wrap(func(next http.RoundTripper) http.RoundTripper {
		counts.next = next
		return counts
	})
	return copied, counts
}

func create(ctx context.Context, clients kubernetes.Interface, count int) {
	_, err := clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(err)
	numbers := make(chan int)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for n := range numbers {
				_, err := clients.CoreV1().ConfigMaps(namespace).Create(ctx, configMap(fmt.Sprintf("m%d", n)), metav1.CreateOptions{})
				must(err)
			}
		})
	}
	for n := range count {
		numbers <- n
	}
	close(numbers)
	group.Wait()
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"made-by": "test"}},
		Data:       map[string]string{"text": strings.Repeat("x", 1000)},
	}
}

// follow starts the informer and shows that one stream gave it all objects, and what comes later.
func follow(ctx context.Context, clients kubernetes.Interface, name string, informer cache.SharedIndexInformer, counts *reads, count int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go informer.Run(ctx.Done())
	check(cache.WaitForCacheSync(ctx.Done(), informer.HasSynced), name+" in time")
	check(len(informer.GetStore().ListKeys()) == count, fmt.Sprintf("%s has %d objects", name, len(informer.GetStore().ListKeys())))
	maps := clients.CoreV1().ConfigMaps(namespace)
	_, err := maps.Create(ctx, configMap("late"), metav1.CreateOptions{})
	must(err)
	late := namespace + "/late"
	isThere := func() bool { _, found, _ := informer.GetStore().GetByKey(late); return found }
	check(cache.WaitForCacheSync(ctx.Done(), isThere), name+" sees a new object")
	must(maps.Delete(ctx, "late", metav1.DeleteOptions{}))
	check(cache.WaitForCacheSync(ctx.Done(), func() bool { return !isThere() }), name+" sees a deletion")
	counts.mutex.Lock()
	defer counts.mutex.Unlock()
	check(counts.streams == 1 && counts.lists == 0, fmt.Sprintf("%s: %d streams, %d lists", name, counts.streams, counts.lists))
	fmt.Println("ok", name, count)
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	must(err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[2])
	must(err)
	unobserved, _ := observed(config)
	unobserved.ContentType = "application/vnd.kubernetes.protobuf"
	clients, err := kubernetes.NewForConfig(unobserved)
	must(err)
	create(ctx, clients, count)
	selected := func(options *metav1.ListOptions) { options.LabelSelector = "made-by=test" }

	for _, contentType := range []string{"application/vnd.kubernetes.protobuf", "application/json"} {
		typedConfig, counts := observed(config)
		typedConfig.ContentType = contentType
		typed, err := kubernetes.NewForConfig(typedConfig)
		must(err)
		factory := informers.NewSharedInformerFactoryWithOptions(typed, 0, informers.WithNamespace(namespace), informers.WithTweakListOptions(selected))
		follow(ctx, clients, "typed "+contentType, factory.Core().V1().ConfigMaps().Informer(), counts, count)
	}

	metadataConfig, counts := observed(config)
	metadataClient, err := metadata.NewForConfig(metadataConfig)
	must(err)
	ofMetadata := metadatainformer.NewFilteredSharedInformerFactory(metadataClient, 0, namespace, selected)
	follow(ctx, clients, "metadata", ofMetadata.ForResource(resource).Informer(), counts, count)

	dynamicConfig, counts := observed(config)
	dynamicClient, err := dynamic.NewForConfig(dynamicConfig)
	must(err)
	ofDynamic := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamicClient, 0, namespace, selected)
	follow(ctx, clients, "dynamic", ofDynamic.ForResource(resource).Informer(), counts, count)
}
