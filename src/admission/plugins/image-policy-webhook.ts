import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type {
  ImageReviewContainerSpec,
  ImageReviewSpec,
  ImageReviewStatus,
} from "../../apis/gen/imagepolicy-v1alpha1.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import {
  type ImagePolicyConfiguration,
  readImagePolicyConfiguration,
} from "../image-policy/configuration.js";
import { ImageReviewCache } from "../image-policy/image-review-cache.js";
import type { PluginContext } from "./plugin-context.js";

/**
 * Asks a service whether the images of a pod may be used. Source: Kubernetes documentation, "Admission Controllers Reference",
 * ImagePolicyWebhook.
 */
export function imagePolicyWebhook(parts: ImagePolicyParts, configuration: unknown): AdmissionPlugin {
  const reviews = new ImageReviews(parts, readImagePolicyConfiguration(configuration));
  const prefix = annotationPrefix(parts.naming);
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const pod = podWriteOf(attributes, ["ephemeralcontainers"])?.pod;
      if (pod === undefined) return;
      const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(([key]) =>
        key.includes(`.${prefix}`),
      );
      const containers = imagesOf(pod, attributes.subresource);
      return reviews.judge(attributes, {
        ...(containers.length > 0 && { containers }),
        ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
        ...(attributes.namespace !== "" && { namespace: attributes.namespace }),
      });
    },
  };
}

function annotationPrefix({ groupDomain }: Naming): string {
  return `image-policy.${groupDomain}/`;
}

type ImagePolicyParts = Pick<PluginContext, "naming" | "imageReviewer" | "now">;

class ImageReviews {
  readonly #parts: ImagePolicyParts;
  readonly #configuration: ImagePolicyConfiguration;
  readonly #cache: ImageReviewCache;

  constructor(parts: ImagePolicyParts, configuration: ImagePolicyConfiguration) {
    this.#parts = parts;
    this.#configuration = configuration;
    this.#cache = new ImageReviewCache(parts.now);
  }

  /** Rejects with the refusal of a pod that the service does not allow. */
  async judge(attributes: AdmissionAttributes, spec: ImageReviewSpec): Promise<void> {
    const { naming, imageReviewer } = this.#parts;
    const { defaultAllow } = this.#configuration;
    const auditPrefix = `imagepolicywebhook.${annotationPrefix(naming)}`;
    let status: ImageReviewStatus;
    try {
      status = await this.#statusOf(spec, attributes.signal);
    } catch (error) {
      const reason = messageOf(error);
      imageReviewer?.failed(reason, defaultAllow);
      if (!defaultAllow || attributes.signal.aborted) throw refused(attributes, reason);
      attributes.addAnnotation(`${auditPrefix}failed-open`, "true");
      return;
    }
    for (const [key, value] of Object.entries(status.auditAnnotations ?? {})) {
      attributes.addAnnotation(`${auditPrefix}${key}`, value);
    }
    if (status.allowed) return;
    const { reason = "" } = status;
    throw refused(
      attributes,
      reason === ""
        ? "one or more images rejected by webhook backend"
        : `image policy webhook backend denied one or more images: ${reason}`,
    );
  }

  async #statusOf(spec: ImageReviewSpec, signal: AbortSignal): Promise<ImageReviewStatus> {
    const { naming, imageReviewer } = this.#parts;
    const question = JSON.stringify(spec);
    const known = this.#cache.get(question);
    if (known !== undefined) return known;
    if (imageReviewer === undefined) throw new Error("no service to review images");
    const { status } = await imageReviewer.review(
      {
        kind: "ImageReview",
        apiVersion: `imagepolicy.${naming.groupDomain}/v1alpha1`,
        metadata: { creationTimestamp: null },
        spec: { ...spec } as JsonObject, // texts, and lists and maps of them
        status: { allowed: false },
      },
      signal,
    );
    const { allowTtlMs, denyTtlMs } = this.#configuration;
    this.#cache.add(question, status, status.allowed ? allowTtlMs : denyTtlMs);
    return status;
  }
}

/** Ephemeral containers have their own subresource, which changes no other container. */
function imagesOf({ spec }: Pod, subresource: string): ImageReviewContainerSpec[] {
  const containers =
    subresource === ""
      ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
      : (spec.ephemeralContainers ?? []);
  return containers.map(({ image = "" }) => (image === "" ? {} : { image }));
}
