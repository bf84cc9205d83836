import { durationText } from "../../../apimachinery/values/age.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { CertificateSigningRequest } from "../../gen/certificates-v1.js";

export const signingRequestColumns: TableColumns<CertificateSigningRequest> = {
  columns: [
    nameColumn,
    ageColumn,
    column("SignerName", "string", "Who is asked to sign."),
    column("Requestor", "string", "User who asked."),
    column("RequestedDuration", "string", "How long the certificate should be valid."),
    column("Condition", "string", "How far the request has come."),
  ],
  cells: (object, now) => {
    const { spec } = object;
    return [
      object.metadata.name ?? "",
      ageCell(object, now),
      spec.signerName === "" ? "<none>" : spec.signerName,
      spec.username ?? "",
      spec.expirationSeconds === undefined ? "<none>" : durationText(spec.expirationSeconds * 1000),
      conditionText(object),
    ];
  },
};

function conditionText({ status }: CertificateSigningRequest): string {
  const has = (type: string): boolean =>
    (status.conditions ?? []).some((condition) => condition.type === type);
  const decision = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  const failed = has("Failed") ? ",Failed" : "";
  const issued = (status.certificate ?? "") === "" ? "" : ",Issued";
  return decision + failed + issued;
}
