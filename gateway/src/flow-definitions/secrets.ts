import { createHmac, randomBytes } from "node:crypto";
import type { FlowSecret } from "./flow-model.ts";

const key = randomBytes(32);

/** Equal values have equal fingerprints within this process, and cannot be guessed from them elsewhere. */
export const secretOf = (value: string): FlowSecret => ({
  fingerprint: createHmac("sha256", key).update(value).digest("base64url"),
  isEncrypted: /^enc\{[\da-f]+\}$/i.test(value),
});

/** NiFi's reference to a parameter, which is no secret, even as the value of a sensitive property. */
export const isParameterReference = (value: string): boolean => /^#\{[\w .'-]{1,260}\}$/.test(value.trim());

const secretWords = new Set(
  "password passwd pwd passphrase passcode secret secrets token apikey credential credentials authorization privatekey accesskey".split(
    " ",
  ),
);
const secretPairs = new Set([
  "api key",
  "private key",
  "secret key",
  "access key",
  "account key",
  "shared key",
  "encryption key",
  "sas token",
]);
/** Names with these words describe a secret, such as where it is or how long it is valid. */
const describingWords = new Set(
  (
    "url uri endpoint file filename path directory location service provider strategy type format length size count max limit timeout " +
    "expiration expiry lifetime ttl duration interval scope header field attribute name algorithm encoding required enabled"
  ).split(" "),
);

/** Names repeat in a flow. */
const judged = new Map<string, boolean>();

/** Whether a property or parameter of this name holds a secret, judging by its words. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= 5_000) judged.clear();
  const isSecret = namesSecret(name);
  judged.set(name, isSecret);
  return isSecret;
}

function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => describingWords.has(word))) return false;
  return words.some((word, index) => secretWords.has(word) || secretPairs.has(`${words[index - 1] ?? ""} ${word}`));
}

const wordsOf = (name: string): string[] =>
  name
    .slice(0, 300)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");

const tokens: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/,
  /\bgh[pousr]_[A-Za-z\d]{30}/,
  /\bxox[abprs]-[A-Za-z\d]{10}/,
  /\beyJ[\w-]{8,200}\.eyJ[\w-]{8}/,
  /\b(?:Bearer|Basic) [A-Za-z\d+/_=.-]{16}/,
];
/** A password in an address or a connection string. Expressions and parameters, such as `${…}` and `#{…}`, are none. */
const assignments: readonly RegExp[] = [
  /:\/\/[^\s/:@]{1,200}:(?![#$]\{)[^\s/@]{1,200}@/,
  /(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token)["']?\s{0,5}[=:]\s{0,5}["']?(?![#$]\{|null\b|none\b|true\b|false\b)[^\s"'&;,#$]{4}/i,
];

/** Whether a value holds something that is certainly meant to be secret, such as a private key or a password in an address. */
export const holdsSecret = (value: string): boolean =>
  value.length >= 8 && [...tokens, ...assignments].some((pattern) => pattern.test(value));
