import { expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { focus, press } from "#testing/keyboard.ts";
import { type Overlay, sweptScreens } from "#testing/overlays.ts";

const itself = (overlay: Locator) => overlay;

async function chooseItem(item: string): Promise<void> {
  // An open menu first takes the focus.
  await expect.poll(() => document.activeElement?.closest("[role=menu]"), { message: item }).not.toBeNull();
  await press("Enter", page.getByRole("menuitem", { name: item, exact: true }));
}

async function open({ file, opener, key = "Enter", item, overlay, loaded = itself }: Overlay): Promise<void> {
  await press(key, opener());
  if (item !== undefined) await chooseItem(item);
  await expect.element(overlay(), { message: file }).toBeVisible();
  await expect.element(loaded(overlay()), { message: file }).toBeVisible();
  // A dialog takes the focus some frames after it is shown.
  const hasFocus = (element: Element) => element.getAttribute("role") !== "dialog" || element.contains(document.activeElement);
  await expect.poll(() => hasFocus(overlay().element()), { message: file }).toBe(true);
}

const isDialog = ({ overlay }: Overlay): boolean => overlay().element().getAttribute("role") === "dialog";

for (const { name, screen, overlays } of sweptScreens) {
  it(`${name}: what opens over or beside it closes by Escape and its button, and returns the focus`, async () => {
    await screen();
    for (const one of overlays) {
      const { file, opener, overlay, returnTo = opener, close = "Close", escape, isPassive } = one;
      const closeButton = () =>
        overlay()
          .getByRole("button", { name: close ?? "", exact: true })
          .first();
      const expectFocus = async (way: string, target: Locator) => {
        await expect.element(overlay(), { message: `${file}, ${way}` }).not.toBeInTheDocument();
        await expect.element(target, { message: `${file}, ${way}` }).toHaveFocus();
      };
      if (escape !== false) {
        await open(one);
        if (isPassive) await focus(closeButton());
        await press("Escape");
        await expectFocus("Escape", returnTo());
      }
      if (close !== null) {
        await open(one);
        const isPanel = !isDialog(one);
        await press("Enter", closeButton());
        await expectFocus(close, returnTo());
        if (isPanel) {
          await open(one);
          const elsewhere = page.getByRole("navigation", { name: "Main" }).getByRole("button").first();
          await focus(elsewhere);
          (closeButton().element() as HTMLElement).click();
          await expectFocus("after moving on", elsewhere);
        }
      }
    }
  });
}
