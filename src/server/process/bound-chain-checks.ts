/** `X509_VP_FLAG_DEFAULT` of `x509_vfy.h`: these settings replace OpenSSL's general defaults. */
const overDefaults = 1;

interface Purpose {
  /** OpenSSL's name of the parameters. */
  readonly name: string;
  /** `X509_PURPOSE_…` of `x509v3.h`, `X509_TRUST_…` of `x509.h`. */
  readonly purpose: number;
  readonly trust: number;
  /** Certificates between the peer's own and its authority. */
  readonly depth: number;
}

/**
 * For clients, OpenSSL need not look for CAs: `access/authentication/certificates` verifies their certificates, whatever OpenSSL found.
 * For servers: those that a cluster calls have one or two intermediates.
 */
const clients: Purpose = { name: "ssl_client", purpose: 1, trust: 2, depth: 0 };
const servers: Purpose = { name: "ssl_server", purpose: 2, trust: 3, depth: 5 };

/**
 * Limits how many signatures OpenSSL verifies of the certificates that peers present, for the whole process. OpenSSL accepts 100 KB of
 * them, and checks the signatures of up to 100 in one step, before anybody has proved who they are; with public exponents of 3,072 bits
 * that step took half a second. Node.js has no setting for that, but its binary exports OpenSSL's functions. False where they cannot be
 * called.
 */
export async function boundChainChecks(): Promise<boolean> {
  try {
    const { default: koffi } = await import("koffi");
    const program = koffi.load(null);
    const create = program.func("void *X509_VERIFY_PARAM_new()");
    const setName = program.func("int X509_VERIFY_PARAM_set1_name(void *parameters, const char *name)");
    const setInheritance = program.func(
      "int X509_VERIFY_PARAM_set_inh_flags(void *parameters, uint32_t flags)",
    );
    const setPurpose = program.func("int X509_VERIFY_PARAM_set_purpose(void *parameters, int purpose)");
    const setTrust = program.func("int X509_VERIFY_PARAM_set_trust(void *parameters, int trust)");
    const setDepth = program.func("void X509_VERIFY_PARAM_set_depth(void *parameters, int depth)");
    const add = program.func("int X509_VERIFY_PARAM_add0_table(void *parameters)");
    for (const { name, purpose, trust, depth } of [clients, servers]) {
      const parameters: unknown = create();
      setName(parameters, name);
      setInheritance(parameters, overDefaults);
      setPurpose(parameters, purpose);
      setTrust(parameters, trust);
      setDepth(parameters, depth);
      // The table now owns them.
      add(parameters);
    }
    return true;
  } catch {
    return false;
  }
}
