import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { validateTrustBundle } from "./certificate-volume-validation.js";

test("a bundle of two kinds is shown whole, with the names that Kubernetes has for its fields", () => {
  const bundle = { name: "a", signerName: "x.y/z", labelSelector: {}, optional: true, path: "p" };
  const shownIn = (minor: number) =>
    withErrorTextsOf(minor, () => validateTrustBundle(bundle, FieldPath.of("b")).map(({ body }) => body));
  const why = "only one of name and signerName may be used";
  expect(shownIn(36)).toEqual([
    `Invalid value: {"Name":"a","SignerName":"x.y/z","LabelSelector":{},"Optional":true,"Path":"p"}: ${why}`,
  ]);
  expect(shownIn(30)).toEqual([
    `Invalid value: core.ClusterTrustBundleProjection{Name:(*string)(0xc000000000), SignerName:(*string)(0xc000000000), LabelSelector:(*v1.LabelSelector)(0xc000000000), Optional:(*bool)(0xc000000000), Path:"p"}: ${why}`,
  ]);
});
