import { MantineProvider } from "@mantine/core";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { Dialog } from "./dialog.tsx";
import { MultiSelect, Select } from "../select.tsx";
import { theme } from "../theme/theme.ts";

function Example() {
  const [opened, setOpened] = useState(false);
  return (
    <MantineProvider theme={theme}>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Share" closeButtonProps={{ "aria-label": "Close" }}>
        <Select label="Role" data={["analyst", "operator"]} data-autofocus />
        <MultiSelect label="Others" data={["analyst", "operator"]} />
      </Dialog>
    </MantineProvider>
  );
}

it("a dialog is shown with its selects, the first of which has the focus, and returns it to the button that opened it", async () => {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  onTestFinished(() => root.unmount());
  root.render(<Example />);
  const open = page.getByRole("button", { name: "Open" });
  const dialog = page.getByRole("dialog", { name: "Share" });
  // The first use loads the dialog, the second finds it.
  for (let use = 0; use < 2; use += 1) {
    await open.click();
    await expect.element(dialog.getByRole("combobox", { name: "Role" })).toHaveFocus();
    await expect.element(dialog.getByRole("combobox", { name: "Others" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(open).toHaveFocus();
  }
});
