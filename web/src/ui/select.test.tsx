import { MantineProvider, Select } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { theme } from "./theme/theme.ts";

it("a list of options scrolls, and requests no frames once it is closed", async () => {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  onTestFinished(() => root.unmount());
  const names = Array.from({ length: 50 }, (_, index) => `Column ${index}`);
  root.render(
    <MantineProvider theme={theme}>
      <Select label="Field" data={names} defaultDropdownOpened />
    </MantineProvider>,
  );
  const list = page.getByRole("listbox");
  await expect.element(list).toBeVisible();
  const options = list.element();
  expect(options.clientHeight).toBeLessThan(options.scrollHeight);
  const requested = vi.spyOn(globalThis, "requestAnimationFrame");
  options.scrollTop = 300;
  await new Promise((resolve) => options.addEventListener("scroll", resolve, { once: true }));
  root.render(null);
  await expect.element(list).not.toBeInTheDocument();
  requested.mockClear();
  // Two frames pass: a loop would request another one in each.
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(requested).not.toHaveBeenCalled();
});
