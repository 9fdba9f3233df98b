import { expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";

const textOf = (element: Element): string => element.textContent.replaceAll(/\s+/g, " ").trim();

/** The texts of all matching elements. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(textOf);

/** Waits until the elements have exactly these texts. */
export const expectTexts = (locator: Locator, texts: readonly unknown[]): Promise<void> =>
  expect.poll(() => textsOf(locator)).toEqual(texts.map((text) => (text instanceof RegExp ? expect.stringMatching(text) : text)));

/** Waits until the locator matches one element with exactly this text. */
export const expectText = (locator: Locator, text: string | RegExp): Promise<void> => expectTexts(locator, [text]);

export const expectCount = (locator: Locator, count: number): Promise<void> => expect.poll(() => locator.elements().length).toBe(count);

/** Whether the element is completely inside the window. */
export function isWithinWindow(locator: Locator): boolean {
  const { top, left, bottom, right } = locator.element().getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

/** Waits for the path and query of the address. */
export const expectAddress = (address: string | RegExp): Promise<void> =>
  expect.poll(() => location.pathname + location.search).toEqual(address instanceof RegExp ? expect.stringMatching(address) : address);

/** Requires fake timers. Waits for a success toast, which then stays open. */
export async function toastShown(text: string): Promise<Locator> {
  const toast = page.getByRole("status").filter({ hasText: text });
  await vi.waitUntil(async () => {
    await vi.advanceTimersByTimeAsync(10);
    return toast.query() !== null;
  });
  return toast;
}

/** Requires fake timers. Expects a toast to appear now and to close after exactly `durationMs`. */
export async function expectToastFor(text: string, durationMs: number): Promise<void> {
  const toast = await toastShown(text);
  await vi.advanceTimersByTimeAsync(durationMs - 200);
  await expect.element(toast).toBeVisible();
  // The rest of its duration and its fade-out.
  await vi.advanceTimersByTimeAsync(600);
  // Waiting for an element would advance fake timers.
  vi.useRealTimers();
  await expect.element(toast).not.toBeInTheDocument();
}
