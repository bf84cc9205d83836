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
    help: "Protocol of the backing store. Only the default is supported.",
  }),
  "storage-media-type": custom(storageMediaType, {
    default: "protobuf",
    help: "Media type of stored objects. Custom resources and their definitions are always stored as JSON.",
  }),
  "store-servers": strings({
    help: "Servers of the backing store, as scheme://ip:port. Defaults to the store embedded in this server.",
    check: endpointUrls,
  }),
  "store-servers-overrides": custom(storeServersOverrides, {
    default: [],
    help: "Separate servers of the backing store for single resources, each as group/resource#servers, with semicolons between servers. Only for built-in resources.",
  }),
  "store-cafile": text({ help: "File with CA certificates that verify the backing store." }),
  "store-certfile": text({
    help: "File with the client certificate that the server presents to the backing store.",
  }),
  "store-keyfile": text({
    help: "File with the private key of --store-certfile.",
  }),
  "store-prefix": text({
    default: "/registry",
    help: "Prefix of the keys of all objects in the backing store.",
  }),
  "store-compaction-interval": duration({
    default: "5m0s",
    help: "Time between compactions of the store's history. 0 disables compaction.",
    check: notNegative,
  }),
  "store-count-metric-poll-period": duration({
    default: "1m0s",
    help: "Time between updates of the metric for the number of stored objects per resource. 0 disables the updates.",
    check: notNegative,
  }),
  "store-db-metric-poll-interval": duration({
    default: "30s",
    help: "Time between updates of the metric for the store's size. 0 disables the updates.",
    check: notNegative,
  }),
  "store-healthcheck-timeout": duration({
    default: "2s",
    help: "Timeout for the health check of the backing store.",
    check: notNegative,
  }),
  "store-readycheck-timeout": {
    ...duration({
      default: "2s",
      help: "Timeout for the readiness check of the backing store.",
      check: notNegative,
    }),
    since: "1.25",
  },
  "storage-initialization-timeout": {
    ...duration({
      default: "1m0s",
      help: "Maximum time after the start that the server reports not ready while it fills the watch caches. Used with the feature gate WatchCacheInitializationPostStartHook.",
      check: notNegative,
    }),
    since: "1.31",
  },
  "encryption-provider-config": text({
    help: "File with an EncryptionConfiguration: which resources are encrypted in the store, and by which providers and keys.",
  }),
  "encryption-provider-config-automatic-reload": {
    ...bool({
      default: false,
      help: "Reload the file of --encryption-provider-config when it changes. One health check then covers all KMS plugins.",
    }),
    since: "1.26",
  },
  "watch-cache": bool({ default: true, help: "Serve lists and watches from an in-memory watch cache." }),
  "default-watch-cache-size": int({
    default: 100,
    help: "Number of events that the watch cache keeps per resource. 0 disables the cache for resources that have no size of their own.",
    check: notNegative,
  }),
  "watch-cache-sizes": custom(watchCacheSizes, {
    default: [],
    help: "Watch cache sizes of single resources, in events, each as resource[.group]#size. The resource is lowercase plural; omit the group for the core group. Needs --watch-cache. Some resources have larger defaults of their own.",
  }),
  "event-ttl": duration({
    default: "1h0m0s",
    help: "How long Events are kept.",
    check: notNegative,
  }),
});
