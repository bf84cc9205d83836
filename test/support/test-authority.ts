import { generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { createAuthority, issueCertificate } from "../../src/server/pki/certificate.js";

const hourMs = 3_600_000;

export interface TestCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

export interface TestCertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[] | undefined;
  readonly usage: "server" | "client" | "authority";
  /** Host names and addresses. */
  readonly names?: readonly string[] | undefined;
  /** Milliseconds since the epoch; default an hour before and after now. */
  readonly notBefore?: number | undefined;
  readonly notAfter?: number | undefined;
}

/** A certificate authority for one test. */
export class TestAuthority {
  readonly caPem: string;
  readonly #key: KeyObject;

  private constructor(caPem: string, key: KeyObject) {
    this.caPem = caPem;
    this.#key = key;
  }

  static async create(commonName: string): Promise<TestAuthority> {
    const { privateKey } = newKey();
    const request = { subject: { commonName }, usage: "authority" as const, ...validity({}) };
    return new TestAuthority(await createAuthority(request, privateKey), privateKey);
  }

  async issue(request: TestCertificateRequest): Promise<TestCertificate> {
    const { privateKey, publicKey } = newKey();
    const certPem = await this.#sign(request, publicKey);
    return { certPem, keyPem: pemOf(privateKey) };
  }

  /** A CA whose certificate this one signed. */
  async intermediate(commonName: string): Promise<TestAuthority> {
    const { privateKey, publicKey } = newKey();
    return new TestAuthority(await this.#sign({ commonName, usage: "authority" }, publicKey), privateKey);
  }

  #sign(request: TestCertificateRequest, publicKey: KeyObject): Promise<string> {
    const { commonName, organizations, usage, names } = request;
    return issueCertificate(
      { subject: { commonName, organizations }, publicKey, usage, names, ...validity(request) },
      { certificate: new X509Certificate(this.caPem), privateKey: this.#key },
    );
  }
}

function newKey() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function validity({ notBefore, notAfter }: Partial<TestCertificateRequest>) {
  const now = Date.now();
  return { notBefore: notBefore ?? now - hourMs, notAfter: notAfter ?? now + hourMs };
}
