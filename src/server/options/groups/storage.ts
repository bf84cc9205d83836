import { endpointUrls, notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import {
  storageBackend,
  storageMediaType,
  storeServersOverrides,
  watchCacheSizes,
} from "../storage-values.js";
import { bool, custom, duration, int, strings, text } from "../value-types.js";

export const storage = optionGroup("Storage", {
  "storage-backend": custom(storageBackend, {
    default: "store3",
    help: "Protocol of the backing store. There is one.",
  }),
  "storage-media-type": custom(storageMediaType, {
    default: "protobuf",
    help: "Form in which objects are stored. Custom resources and their definitions are always stored as JSON.",
  }),
  "store-servers": strings({
    help: "Servers of the backing store, as scheme://ip:port. When not given, the store embedded in this server.",
    check: endpointUrls,
  }),
  "store-servers-overrides": custom(storeServersOverrides, {
    default: [],
    help: "Resources kept on servers of their own, each as group/resource#servers with semicolons between servers. Built-in resources only.",
  }),
  "store-cafile": text({ help: "File with the CA certificates that sign the backing store's certificate." }),
  "store-certfile": text({ help: "File with the client certificate for the backing store." }),
  "store-keyfile": text({
    help: "File with the private key of the client certificate for the backing store.",
  }),
  "store-prefix": text({
    default: "/registry",
    help: "What the keys of all objects in the backing store begin with.",
  }),
  "store-compaction-interval": duration({
    default: "5m0s",
    help: "Time between compactions of the store's history. 0 keeps history forever.",
    check: notNegative,
  }),
  "store-count-metric-poll-period": duration({
    default: "1m0s",
    help: "Time between counts of the stored objects of each type, for metrics. 0 turns counting off.",
    check: notNegative,
  }),
  "store-db-metric-poll-interval": duration({
    default: "30s",
    help: "Time between measurements of the store's size, for metrics. 0 turns them off.",
    check: notNegative,
  }),
  "store-healthcheck-timeout": duration({
    default: "2s",
    help: "How long the health check waits for the backing store.",
    check: notNegative,
  }),
  "store-readycheck-timeout": {
    ...duration({
      default: "2s",
      help: "How long the readiness check waits for the backing store.",
      check: notNegative,
    }),
    since: "1.25",
  },
  "storage-initialization-timeout": {
    ...duration({
      default: "1m0s",
      help: "How long the server, at its start, is not ready while it fills the watch caches. Follows the gate WatchCacheInitializationPostStartHook.",
      check: notNegative,
    }),
    since: "1.31",
  },
  "encryption-provider-config": text({
    help: "File that says which resources are encrypted in the store, how, and with which keys.",
  }),
  "encryption-provider-config-automatic-reload": {
    ...bool({
      default: false,
      help: "Use the file of --encryption-provider-config anew when it changes. One health check then stands for all key services.",
    }),
    since: "1.26",
  },
  "watch-cache": bool({ default: true, help: "Answer lists and watches from a cache in the server." }),
  "default-watch-cache-size": int({
    default: 100,
    help: "Events that the watch cache keeps per resource. 0 switches it off for resources without a size of their own.",
    check: notNegative,
  }),
  "watch-cache-sizes": custom(watchCacheSizes, {
    default: [],
    help: "Watch cache sizes of single resources, each as resource[.group]#size; resources in lowercase plural, no group for those of the core. Needs the watch cache. Some resources have larger sizes of their own.",
  }),
  "event-ttl": duration({
    default: "1h0m0s",
    help: "How long Event objects are kept.",
    check: notNegative,
  }),
});
