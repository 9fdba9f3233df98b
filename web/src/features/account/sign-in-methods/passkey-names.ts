/** The order matters: an iPad also calls itself a Mac. */
const devices: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android device"],
  [/CrOS/, "Chromebook"],
  [/Windows/, "Windows computer"],
  [/Macintosh/, "Mac"],
  [/Linux/, "Linux computer"],
];

/** A name for a new passkey on this device that the account does not use yet. */
export function suggestPasskeyName(userAgent: string, passkeys: readonly { readonly name: string }[]): string {
  const name = devices.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "Passkey";
  const taken = new Set(passkeys.map((passkey) => passkey.name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}
