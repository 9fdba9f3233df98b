import { expect, it } from "vitest";
import { suggestPasskeyName } from "./passkey-names.ts";

const iPad = "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36";

it.each([
  ["the device", windows, [], "Windows computer"],
  [
    "the device, and a number where the name is taken in any case",
    windows,
    ["windows COMPUTER", "Windows computer 2"],
    "Windows computer 3",
  ],
  ["an iPad, which calls itself a Mac as well", iPad, [], "iPad"],
  ["nothing where the device is unknown", "curl/8.5.0", ["Passkey"], "Passkey 2"],
])("suggests a name with %s", (_, userAgent, names, expected) => {
  expect(
    suggestPasskeyName(
      userAgent,
      names.map((name) => ({ name })),
    ),
  ).toBe(expected);
});
