import { expect } from "vitest";
import type { Locator } from "vitest/browser";

/**
 * Sets a field or a native select by events in the page. For what a test needs but is not about: `fill` and `selectOptions` wait for
 * frames, which take most of the time of long forms. Options are found by their text or value.
 */
export async function setField(field: Locator, value: string): Promise<void> {
  const element = await present(field);
  const isSelect = element instanceof HTMLSelectElement;
  if (!isSelect && !(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) throw new Error("This is no field.");
  if (element.disabled || (!isSelect && element.readOnly)) throw new Error("The field cannot be edited.");
  element.focus();
  const option = isSelect ? [...element.options].find(({ text, value: own }) => text === value || own === value) : undefined;
  if (isSelect && option === undefined) throw new Error(`There is no option '${value}'.`);
  // React notices only what the element itself has set.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")?.set?.call(element, option?.value ?? value);
  element.dispatchEvent(new Event(isSelect ? "change" : "input", { bubbles: true }));
}

/** Focuses and clicks a button or an option in the page, without waiting for frames. See `setField`. */
export async function clickQuickly(target: Locator): Promise<void> {
  const element = await present(target);
  element.focus({ preventScroll: true });
  element.click();
}

/** Waits until the dialog around a field has taken the focus, a moment after it opened: a list that opens earlier would close. */
export async function untilFocusIsAround(field: Locator): Promise<void> {
  const dialog = (await present(field)).closest("[role=dialog]");
  await expect.poll(() => dialog?.contains(document.activeElement)).toBe(true);
}

/** The element, which `expect` looks for every 10 ms; `findElement` soon looks twice a second only. */
async function present(target: Locator): Promise<HTMLElement> {
  await expect.element(target).toBeInTheDocument();
  return target.element() as HTMLElement;
}
