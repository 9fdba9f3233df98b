import { expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";

const textOf = (element: Element): string => element.textContent.replaceAll(/\s+/g, " ").trim();

/** The texts of all elements that it finds. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(textOf);

/** Waits until exactly these texts are there. */
export const expectTexts = (locator: Locator, texts: readonly unknown[]): Promise<void> =>
  expect.poll(() => textsOf(locator)).toEqual(texts.map((text) => (text instanceof RegExp ? expect.stringMatching(text) : text)));

/** Waits until the one element has this text and no other. */
export const expectText = (locator: Locator, text: string | RegExp): Promise<void> => expectTexts(locator, [text]);

export const expectCount = (locator: Locator, count: number): Promise<void> => expect.poll(() => locator.elements().length).toBe(count);

/** Whether no part of the one element lies beyond the window's edges. */
export function isWithinWindow(locator: Locator): boolean {
  const { top, left, bottom, right } = locator.element().getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

/** Path and query of the address. */
export const expectAddress = (address: string | RegExp): Promise<void> =>
  expect.poll(() => location.pathname + location.search).toEqual(address instanceof RegExp ? expect.stringMatching(address) : address);

/** Timers stand still (`vi.useFakeTimers()`): waits for the toast of a success, which then stays. */
export async function toastShown(text: string): Promise<Locator> {
  const toast = page.getByRole("status").filter({ hasText: text });
  await vi.waitUntil(async () => {
    await vi.advanceTimersByTimeAsync(10);
    return toast.query() !== null;
  });
  return toast;
}

/** Timers stand still (`vi.useFakeTimers()`): a toast that comes now goes when its time is over, not before and not later. */
export async function expectToastFor(text: string, durationMs: number): Promise<void> {
  const toast = await toastShown(text);
  await vi.advanceTimersByTimeAsync(durationMs - 200);
  await expect.element(toast).toBeVisible();
  // The rest of its time, and its fading.
  await vi.advanceTimersByTimeAsync(600);
  // Waiting for an element moves timers that stand still.
  vi.useRealTimers();
  await expect.element(toast).not.toBeInTheDocument();
}
