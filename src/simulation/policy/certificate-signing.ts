import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeText } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";

const resource = "certificatesigningrequests.certificates";
const yearMs = 365 * 24 * 3600 * 1000;
/** Certificates are backdated, for clients whose clocks are slow. */
const backdatedMs = 5 * 60 * 1000;

/**
 * Approves the requests of node agents for their own certificates, and signs approved ones. Source: Kubernetes' certificate controllers.
 */
export class CertificateSigning implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("certificate-controller");
    this.#loop = cluster.loop({ name: "certificate", sync: (name) => this.#sync(name) });
  }

  start(): void {
    this.#loop.fedBy(this.#cluster.views.of(resource).onChange(({ key }) => this.#loop.add(key)));
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(name: string): Promise<void> {
    const view = this.#cluster.views.of(resource).get(name);
    if (view === undefined || view.isTerminating) return;
    const request = view.stored.decode();
    const decided = (type: string) =>
      request.status.conditions?.some((condition) => condition.type === type) ?? false;
    if (decided("Denied") || decided("Failed")) return;
    if (!decided("Approved")) {
      if (this.#isOfNodeAgent(request)) await this.#approve(view);
      return;
    }
    if ((request.status.certificate ?? "") === "") await this.#sign(view, request);
  }

  /** Whether it comes from a new node, or from a known node for itself. */
  #isOfNodeAgent({ spec }: CertificateSigningRequest): boolean {
    const { prefix, nodeAgentName } = this.#cluster.context.naming;
    if (spec.signerName !== `${this.#cluster.domain}/${prefix}-apiserver-client-${nodeAgentName}`)
      return false;
    const groups = spec.groups ?? [];
    return groups.includes("system:bootstrappers") || groups.includes("system:nodes");
  }

  async #approve(view: ObjectView<CertificateSigningRequest>): Promise<void> {
    const at = timeText(this.#cluster.now());
    await this.#writer.changePart(
      resource,
      view,
      ({ status }) => {
        const condition = {
          type: "Approved",
          status: "True",
          reason: "AutoApproved",
          message: `Auto approving ${this.#cluster.context.naming.nodeAgentName} client certificate after SubjectAccessReview.`,
          lastUpdateTime: at,
          lastTransitionTime: at,
        };
        status.conditions = [...(status.conditions ?? []), condition];
      },
      "approval",
    );
  }

  async #sign(
    view: ObjectView<CertificateSigningRequest>,
    { spec }: CertificateSigningRequest,
  ): Promise<void> {
    const { signCertificate, naming } = this.#cluster.context;
    const signers = [
      `${naming.prefix}-apiserver-client`,
      `${naming.prefix}-apiserver-client-${naming.nodeAgentName}`,
      `${naming.nodeAgentName}-serving`,
      "legacy-unknown",
    ].map((name) => `${this.#cluster.domain}/${name}`);
    if (signCertificate === undefined || !signers.includes(spec.signerName)) return;
    const now = this.#cluster.now();
    const lifeMs = spec.expirationSeconds === undefined ? yearMs : spec.expirationSeconds * 1000;
    try {
      const pem = await signCertificate({
        request: Buffer.from(spec.request ?? "", "base64").toString("utf8"),
        usages: spec.usages ?? [],
        notBefore: new Date(now - backdatedMs),
        notAfter: new Date(now + Math.min(lifeMs, yearMs)),
      });
      await this.#writer.changePart(resource, view, ({ status }) => {
        status.certificate ??= Buffer.from(pem).toString("base64");
      });
    } catch (error) {
      const at = timeText(now);
      await this.#writer.changePart(resource, view, ({ status }) => {
        const condition = {
          type: "Failed",
          status: "True",
          reason: "SignerValidationFailure",
          message: messageOf(error),
          lastUpdateTime: at,
          lastTransitionTime: at,
        };
        status.conditions = [...(status.conditions ?? []), condition];
      });
    }
  }
}
