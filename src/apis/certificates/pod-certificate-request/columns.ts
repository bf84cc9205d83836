import { column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { labelsCell } from "../../definition/template-cells.js";
import type { PodCertificateRequest } from "../../gen/certificates-v1beta1.js";

export const podCertificateColumns: TableColumns<PodCertificateRequest> = {
  columns: [
    nameColumn,
    column("PodName", "string", "The pod that wants a certificate."),
    column("ServiceAccountName", "string", "The service account of the pod."),
    column("NodeName", "string", "The node that runs the pod."),
    column("SignerName", "string", "Who is asked to sign."),
    column("State", "string", "Whether the request is Pending, Issued, Denied or Failed."),
    {
      ...column(
        "UnverifiedUserAnnotations",
        "string",
        "What the pod tells the signer; nobody has checked it.",
      ),
      since: "1.35",
    },
  ],
  cells: ({ metadata, spec, status }) => [
    metadata.name ?? "",
    spec.podName,
    spec.serviceAccountName,
    spec.nodeName,
    spec.signerName,
    status?.conditions?.findLast(({ type }) => states.includes(type))?.type ?? "Pending",
    labelsCell(spec.unverifiedUserAnnotations),
  ],
};

const states = ["Issued", "Denied", "Failed"];
