import { expect, it } from "vitest";
import { press } from "#testing/keyboard.ts";
import { sweptMenus } from "#testing/menus.ts";

/** Presses Escape in the first task in which the button says that its menu is open, whatever has the focus by then. */
function escapeOnceOpen(button: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (button.getAttribute("aria-expanded") !== "true") return;
      observer.disconnect();
      const task = new MessageChannel();
      task.port1.addEventListener("message", () => {
        const target = document.activeElement ?? document.body;
        target.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
        resolve();
      });
      task.port1.start();
      task.port2.postMessage(null);
    });
    observer.observe(button, { attributes: true, attributeFilter: ["aria-expanded"] });
  });
}

/** The work of a menu or popover after it opened: frames, timers and transitions. */
async function settle(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, 20));
}

for (const { file, screen, button, opener = button, key = "Enter", isNative = false } of sweptMenus) {
  it(`${file} focuses its first item, closes by Escape as soon as it is open, and returns the focus`, async () => {
    await screen();
    await expect.element(button()).toHaveAttribute("aria-expanded", "false");
    const element = await button().findElement();
    const closed = isNative ? null : escapeOnceOpen(element);
    await press(key, opener());
    await (closed ?? press("Escape"));
    await expect.element(button()).toHaveAttribute("aria-expanded", "false");
    await settle();
    await expect.element(button()).toHaveAttribute("aria-expanded", "false");
    await expect.element(opener()).toHaveFocus();

    await press(key, opener());
    await expect.poll(() => document.activeElement?.closest("[role=menu], [role=dialog]")).not.toBeNull();
    const firstItem = document.activeElement?.closest("[role=menu]")?.querySelector("[role^=menuitem]:not(:disabled)");
    expect(document.activeElement).toBe(firstItem ?? document.activeElement);
    await press("Escape");
    await expect.element(button()).toHaveAttribute("aria-expanded", "false");
    await expect.poll(() => opener().element() === document.activeElement || element === document.activeElement).toBe(true);
  });
}
