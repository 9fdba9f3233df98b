import { type KeyObject, createHash, createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { der } from "./der.ts";

/** A certificate with its private key, made by this test run. */
export interface TestCertificate {
  readonly name: string;
  readonly privateKey: KeyObject;
  /** DER. */
  readonly bytes: Buffer;
  readonly pem: string;
  /** PKCS#8 in PEM; encrypted where a password is given. */
  key(password?: string): string;
}

const day = 86_400_000;
const ecdsaWithSha256 = der.sequence(der.id("1.2.840.10045.4.3.2"));
const nameOf = (name: string) => der.sequence(der.set(der.sequence(der.id("2.5.4.3"), der.text(name))));

/** Without an issuer it signs itself and may sign others; with one it stands for localhost and 127.0.0.1. */
export function testCertificate(name: string, issuer?: TestCertificate): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = issuer
    ? extension("2.5.29.17", der.sequence(der.implicit(2, Buffer.from("localhost")), der.implicit(7, Buffer.from([127, 0, 0, 1]))))
    : extension("2.5.29.19", der.sequence(der.yes()), der.yes());
  const about = der.sequence(
    der.explicit(0, der.integer(2)),
    der.integer(randomBytes(3).readUIntBE(0, 3) + 1),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    der.sequence(der.time(new Date(Date.now() - day)), der.time(new Date(Date.now() + 30 * day))),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der.explicit(3, der.sequence(extensions)),
  );
  const bytes = der.sequence(about, ecdsaWithSha256, der.bits(sign("sha256", about, issuer?.privateKey ?? privateKey)));
  return {
    name,
    privateKey,
    bytes,
    pem: `-----BEGIN CERTIFICATE-----\n${(bytes.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`,
    key: (password) =>
      privateKey
        .export({ type: "pkcs8", format: "pem", ...(password === undefined ? {} : { cipher: "aes-256-cbc", passphrase: password }) })
        .toString(),
  };
}

const extension = (id: string, value: Uint8Array, ...critical: readonly Uint8Array[]) =>
  der.sequence(der.id(id), ...critical, der.octets(value));

/** A PKCS#12 file with the key, its certificate and certificates of issuers. */
export function pkcs12(own: TestCertificate, issuers: readonly TestCertificate[], password: string): Buffer {
  const shroudedKey = own.privateKey.export({ type: "pkcs8", format: "der", cipher: "aes-256-cbc", passphrase: password });
  const bags = [
    der.sequence(der.id("1.2.840.113549.1.12.10.1.2"), der.explicit(0, shroudedKey)),
    ...[own, ...issuers].map(({ bytes }) =>
      der.sequence(
        der.id("1.2.840.113549.1.12.10.1.3"),
        der.explicit(0, der.sequence(der.id("1.2.840.113549.1.9.22.1"), der.explicit(0, der.octets(bytes)))),
      ),
    ),
  ];
  const content = der.sequence(dataOf(der.sequence(...bags)));
  const [salt, rounds] = [randomBytes(8), 2_048];
  const mac = createHmac("sha256", macKey(password, salt, rounds))
    .update(content)
    .digest();
  const sha256 = der.sequence(der.id("2.16.840.1.101.3.4.2.1"), der.nothing());
  const macData = der.sequence(der.sequence(sha256, der.octets(mac)), der.octets(salt), der.integer(rounds));
  return der.sequence(der.integer(3), dataOf(content), macData);
}

const dataOf = (content: Uint8Array) => der.sequence(der.id("1.2.840.113549.1.7.1"), der.explicit(0, der.octets(content)));

/** RFC 7292, B.2, with SHA-256 and one block. */
function macKey(password: string, salt: Uint8Array, rounds: number): Buffer {
  const text = Buffer.from(`${password}\0`, "utf16le").swap16();
  const filled = (bytes: Uint8Array) => {
    const size = 64 * Math.ceil(bytes.length / 64);
    return Buffer.concat(Array.from({ length: Math.ceil(size / bytes.length) }, () => bytes)).subarray(0, size);
  };
  let key: Buffer = Buffer.concat([Buffer.alloc(64, 3), filled(salt), filled(text)]);
  for (let round = 0; round < rounds; round += 1) key = createHash("sha256").update(key).digest();
  return key;
}
