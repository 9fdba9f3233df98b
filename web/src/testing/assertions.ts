import { expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";

/** The texts of all elements that it finds, as a person reads them. */
export const textsOf = (locator: Locator): string[] =>
  locator.elements().map((element) => element.textContent.replaceAll(/\s+/g, " ").trim());

/** Waits until exactly these texts are there. */
export const expectTexts = (locator: Locator, texts: readonly unknown[]): Promise<void> =>
  expect.poll(() => textsOf(locator)).toEqual(texts);

export const expectCount = (locator: Locator, count: number): Promise<void> => expect.poll(() => locator.elements().length).toBe(count);

/** Timers stand still (`vi.useFakeTimers()`): a toast that comes now goes when its time is over, not before and not later. */
export async function expectToastFor(text: string, durationMs: number): Promise<void> {
  const toast = page.getByRole("status").filter({ hasText: text });
  await vi.waitUntil(async () => {
    await vi.advanceTimersByTimeAsync(10);
    return toast.query() !== null;
  });
  await vi.advanceTimersByTimeAsync(durationMs - 200);
  await expect.element(toast).toBeVisible();
  // The rest of its time, and its fading.
  await vi.advanceTimersByTimeAsync(600);
  await expect.element(toast).not.toBeInTheDocument();
}
