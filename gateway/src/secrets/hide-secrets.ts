/** Stands for a secret in logs and messages. */
export const censor = "[hidden]";

/**
 * Replaces secrets in texts of services, which may repeat what they were sent: as they are and as they are usually encoded, also
 * the header of a sign-in with user and password.
 */
export function hidingSecrets(secrets: readonly string[], signIn?: { readonly user: string; readonly password: string }) {
  const all = signIn === undefined ? secrets : [...secrets, signIn.password, `${signIn.user}:${signIn.password}`];
  const longestFirst = [...new Set(all.flatMap(secretSpellings))]
    .filter((text) => text !== "")
    .toSorted((one, other) => other.length - one.length);
  return (text: string): string => longestFirst.reduce((left, secret) => left.replaceAll(secret, censor), text);
}

/** A secret as it is and as it is usually encoded. */
export function secretSpellings(secret: string): string[] {
  // Lone surrogates have no URI encoding.
  const wellFormed = Buffer.from(secret).toString();
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    encodeURIComponent(wellFormed),
    new URLSearchParams({ x: wellFormed }).toString().slice("x=".length),
    json,
    ascii,
    base64,
    base64.replace(/={1,2}$/, ""),
    Buffer.from(secret).toString("base64url"),
  ];
}
