/**
 * Replaces secrets in texts of services, which may repeat what they were sent: as they are and as they are usually encoded, also
 * the header of a sign-in with user and password.
 */
export function hidingSecrets(secrets: readonly string[], signIn?: { readonly user: string; readonly password: string }) {
  const all = signIn === undefined ? secrets : [...secrets, signIn.password, `${signIn.user}:${signIn.password}`];
  const longestFirst = [...new Set(all.flatMap(spellings))]
    .filter((text) => text !== "")
    .toSorted((one, other) => other.length - one.length);
  return (text: string): string => longestFirst.reduce((left, secret) => left.replaceAll(secret, "[hidden]"), text);
}

const spellings = (secret: string): string[] => {
  const base64 = Buffer.from(secret).toString("base64");
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64, base64.replace(/={1,2}$/, "")];
};
