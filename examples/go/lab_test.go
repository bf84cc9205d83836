package lab

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// lab calls the paths of the server below /lab.
type lab struct {
	client *http.Client
	host   string
}

func newLab(config *rest.Config) (*lab, error) {
	client, err := rest.HTTPClientFor(config)
	return &lab{client, config.Host}, err
}

func (l *lab) post(path string) error {
	answer, err := l.client.Post(l.host+"/lab/"+path, "", nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	return nil
}

// labeller labels every config map.
type labeller struct{ client.Client }

func (l labeller) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := l.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if found.Labels["seen"] == "yes" {
		return reconcile.Result{}, nil
	}
	changed := found.DeepCopy()
	if changed.Labels == nil {
		changed.Labels = map[string]string{}
	}
	changed.Labels["seen"] = "yes"
	return reconcile.Result{}, l.Update(ctx, changed)
}

func TestLabeller(t *testing.T) {
	path := os.Getenv("LAB_KUBECONFIG")
	if path == "" {
		t.Skip("LAB_KUBECONFIG names no server")
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", path)
	must(t, err)
	server, err := newLab(config)
	must(t, err)
	manager, err := ctrl.NewManager(config, ctrl.Options{})
	must(t, err)
	must(t, ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(labeller{manager.GetClient()}))
	go func() { _ = manager.Start(ctx) }()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		t.Fatal("the cache is not there")
	}
	must(t, server.post("snapshots?name=start"))

	// Each has the name for itself, and the manager goes on: it sees the rewind by its watches.
	for _, name := range []string{"one", "two", "three"} {
		t.Run(name, func(t *testing.T) {
			must(t, server.post("snapshots/start/rewind"))
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "the-map"}}
			must(t, manager.GetClient().Create(ctx, object))
			key := client.ObjectKeyFromObject(object)
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				var found corev1.ConfigMap
				err := manager.GetAPIReader().Get(ctx, key, &found)
				if err == nil && found.UID == object.UID && found.Labels["seen"] == "yes" {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("not labelled: %v, %v", found.Labels, err)
				}
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
