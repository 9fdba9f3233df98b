import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { isWithinWindow } from "#testing/assertions.ts";
import { dialog, openAdmin, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { isSimilarColor, takePicture } from "#testing/pixels.ts";

const shut = { name: "shut", enabled: true, roles: [{ roleName: "ghost" }] };

it("on a phone, a long list of warnings indicates that it scrolls until its end is reached", async () => {
  const { stored } = serveEntities("ecosystems");
  const many = Array.from({ length: 12 }, (_, index) => ({ code: "unknown-role", message: `There is no role 'ghost-${index}'.` }));
  stored.push({ ...shut, version: 1, warnings: many });
  await page.viewport(390, 844);
  await openAdmin("/ecosysystem-settings", "Ecosystems");
  await expectAccessible();
  await press("Enter", page.getByRole("button", { name: "12 warnings: shut", exact: true }));
  const note = dialog().getByRole("note", { name: "Does not work yet" });
  await expect.poll(() => isWithinWindow(note)).toBe(true);
  await expectAccessible({ within: ["[role=dialog]"] });
  const { width, height } = note.element().getBoundingClientRect();
  // Next to the text: just inside the lower edge, and in the middle.
  const hasSameColorAtEdge = async () => {
    const { colorAt } = await takePicture(note);
    return isSimilarColor(colorAt({ x: width - 4, y: height - 4 }), colorAt({ x: width - 4, y: height / 2 }));
  };
  expect(await hasSameColorAtEdge()).toBe(false);
  note.element().scrollTo(0, note.element().scrollHeight);
  await expect.poll(hasSameColorAtEdge).toBe(true);
});
