import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from "@fairway/contract/passkeys";

/** How a response deviates from that of an honest authenticator and browser. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly userHandle?: string;
  /** Attestation format and statement. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: CborMap };
}

type Cbor = number | string | Uint8Array | readonly Cbor[] | CborMap;
type CborMap = ReadonlyMap<number | string, Cbor>;

const localhost = "http://localhost";

/** A WebAuthn authenticator with one ES256 credential, and the browser around it. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #userHandle = randomBytes(32).toString("base64url");
  #counter = 0;

  get id(): string {
    return this.credentialId.toString("base64url");
  }

  create(creation: PasskeyCreation, deviations: Deviations = {}): PasskeyRegistration {
    this.#userHandle = creation.user.id;
    const { attestation = { fmt: "none", attStmt: new Map() } } = deviations;
    const authData = Buffer.concat([
      this.#authenticatorData(creation.rp.id, 0x40, deviations),
      Buffer.alloc(16),
      Buffer.from([this.credentialId.length >> 8, this.credentialId.length & 0xff]),
      this.credentialId,
      encode(this.#publicKey()),
    ]);
    const object = encode(
      new Map<string, Cbor>([
        ["fmt", attestation.fmt],
        ["attStmt", attestation.attStmt],
        ["authData", authData],
      ]),
    );
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: clientData("webauthn.create", creation.challenge, deviations),
        attestationObject: object.toString("base64url"),
        transports: ["internal", "hybrid"],
      },
    };
  }

  /** Increments the signature counter, unless `deviations` sets it. */
  get(request: PasskeyRequest, deviations: Deviations = {}): PasskeyAssertion {
    this.#counter += 1;
    const clientDataJSON = clientData("webauthn.get", request.challenge, deviations);
    const authenticatorData = this.#authenticatorData(request.rpId, 0, { counter: this.#counter, ...deviations });
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
        userHandle: deviations.userHandle ?? this.#userHandle,
      },
    };
  }

  #authenticatorData(rpId: string, extraFlags: number, deviations: Deviations): Buffer {
    const { counter = 0, userPresent = true, userVerified = true } = deviations;
    const rest = Buffer.alloc(5);
    rest.writeUInt8((userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | extraFlags, 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(Buffer.from(deviations.rpId ?? rpId)), rest]);
  }

  /** COSE: an elliptic curve key for ES256. */
  #publicKey(): CborMap {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]);
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

function clientData(type: string, challenge: string, deviations: Deviations): string {
  const data = { type: deviations.type ?? type, challenge: deviations.challenge ?? challenge, origin: deviations.origin ?? localhost };
  return Buffer.from(JSON.stringify({ ...data, crossOrigin: false })).toString("base64url");
}

/** CBOR (RFC 8949), limited to the types that WebAuthn needs. */
function encode(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, inner]: [number | string, Cbor]) => [encode(key), encode(inner)]),
    ]);
  }
  const list = value as readonly Cbor[];
  return Buffer.concat([head(4, list.length), ...list.map(encode)]);
}

function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 0x100) return Buffer.from([type | 24, argument]);
  return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
}
