import { type Locator, userEvent } from "vitest/browser";

/** Moves the focus to an element. */
export async function focus(locator: Locator): Promise<void> {
  ((await locator.findElement()) as HTMLElement).focus();
}

/** Presses a key or a combination such as `Control+Shift+Enter`, in the focused element or the given one. */
export async function press(keys: string, locator?: Locator): Promise<void> {
  if (locator) await focus(locator);
  const parts = keys.split("+").map((key) => key || "+");
  const [key = ""] = parts.splice(-1);
  const held = parts.map((part) => `{${part}>}`).join("");
  const released = parts
    .map((part) => `{/${part}}`)
    .toReversed()
    .join("");
  await userEvent.keyboard(`${held}${key.length === 1 && !"{[".includes(key) ? key : `{${key}}`}${released}`);
}

/** Types a text character by character, in the focused element or the given one. */
export async function type(text: string, locator?: Locator): Promise<void> {
  if (locator) await focus(locator);
  await userEvent.keyboard(text.replaceAll(/[{[]/g, "$&$&"));
}

/** The text in the clipboard. */
export const copied = (): Promise<string> => navigator.clipboard.readText();
