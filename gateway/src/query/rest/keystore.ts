import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type SecureContextOptions, createSecureContext, rootCertificates } from "node:tls";

/** A keystore that cannot be used. The message is shown to users and holds neither password nor path. */
export class KeystoreProblem extends Error {
  override readonly name = "KeystoreProblem";
}

export type ClientCertificate = Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase" | "ca">;

export interface KeystoreFile {
  /** Below the keystore folder. */
  readonly path: string;
  readonly type: "PEM" | "PKCS12";
}

const maxBytes = 1_000_000;

/** Client certificates below the operator's keystore folder. Replaced files are read again. */
export class Keystores {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws KeystoreProblem. `state` changes with the file. */
  async open({ path, type }: KeystoreFile, password: string): Promise<{ certificate: ClientCertificate; state: string }> {
    const { file, state } = await this.#find(path);
    const bytes = await readFile(file);
    const certificate = type === "PEM" ? pemCertificate(bytes.toString(), password) : { pfx: bytes, ...passphrase(password) };
    try {
      createSecureContext(certificate);
    } catch (error) {
      throw new KeystoreProblem(`${problemOf(error)}.`, { cause: error });
    }
    return { certificate, state };
  }

  /** Throws KeystoreProblem if there is no file at this path. */
  async requireFile(path: string): Promise<void> {
    await this.#find(path);
  }

  /** Refuses links that lead out of the folder. */
  async #find(path: string): Promise<{ file: string; state: string }> {
    try {
      const [folder, file] = await Promise.all([realpath(this.#folder), realpath(join(this.#folder, path))]);
      if (!file.startsWith(folder + sep)) throw new KeystoreProblem("The keystore is outside the keystore folder.");
      const stats = await stat(file);
      if (!stats.isFile() || stats.size > maxBytes) throw new KeystoreProblem("The keystore is not a file of at most 1 MB.");
      return { file, state: `${stats.mtimeMs} ${stats.size}` };
    } catch (error) {
      if (error instanceof KeystoreProblem) throw error;
      throw new KeystoreProblem("The keystore is not in the keystore folder, or cannot be read.", { cause: error });
    }
  }
}

const passphrase = (password: string): { passphrase?: string } => (password === "" ? {} : { passphrase: password });

/**
 * One private key and its certificate, in any order. Self-signed certificates are trusted as issuers of the upstream's
 * certificate, as in a PKCS#12 file; all others are intermediates.
 */
function pemCertificate(text: string, password: string): ClientCertificate {
  const blocks = Array.from(text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g), ([block, label = ""]) => ({
    block,
    label,
  }));
  const keys = blocks.filter(({ label }) => label.endsWith("PRIVATE KEY"));
  const [key] = keys;
  if (key === undefined || keys.length > 1) throw new KeystoreProblem("The keystore does not contain exactly one private key.");
  const { own, others } = certificatesOf(
    key.block,
    blocks.filter(({ label }) => label === "CERTIFICATE").map(({ block }) => block),
    password,
  );
  const issuers = others.filter((certificate) => certificate.verify(certificate.publicKey));
  const intermediates = others.filter((certificate) => !issuers.includes(certificate));
  return {
    key: key.block,
    ...passphrase(password),
    cert: [own, ...intermediates].map(String).join("\n"),
    ...(issuers.length === 0 ? {} : { ca: [...rootCertificates, ...issuers.map(String)] }),
  };
}

function certificatesOf(key: string, blocks: readonly string[], password: string): { own: X509Certificate; others: X509Certificate[] } {
  try {
    const privateKey = createPrivateKey({ key, ...passphrase(password) });
    const certificates = blocks.map((block) => new X509Certificate(block));
    const own = certificates.find((certificate) => certificate.checkPrivateKey(privateKey));
    if (own === undefined) throw new KeystoreProblem("The keystore contains no certificate for its private key.");
    return { own, others: certificates.filter((certificate) => certificate !== own) };
  } catch (error) {
    if (error instanceof KeystoreProblem) throw error;
    throw new KeystoreProblem(`${problemOf(error)}.`, { cause: error });
  }
}

/** OpenSSL's error in plain language. */
function problemOf(error: unknown): string {
  const { code = "", message = "" } = error as Partial<NodeJS.ErrnoException>;
  const text = `${code} ${message}`;
  if (/mac verify|bad.decrypt|passphrase|bad password|interrupted or cancelled/i.test(text))
    return "The keystore's password is missing or wrong";
  if (/unsupported/i.test(text)) return "The keystore is encrypted in an outdated way: create it again, such as with OpenSSL 3";
  return "The keystore is not of the type that is configured";
}
