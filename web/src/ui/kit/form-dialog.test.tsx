import { MantineProvider, Textarea } from "@mantine/core";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { z } from "zod";
import { axeViolations } from "#testing/accessibility.ts";
import { expectText } from "#testing/assertions.ts";
import { hasDraft, keepDraft } from "#lib/browser/drafts.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { ConfirmHost } from "#ui/dialog/confirm-host.tsx";
import { theme } from "#ui/theme/theme.ts";
import { FormDialog, NameInput } from "./form-dialog.tsx";

interface City {
  name: string;
  note: string;
  map: File | null;
}

const initial: City = { name: "Kiel", note: "", map: null };
const map = new File(["x"], "map.svg");

/** Shows a button that opens the form of a city, which `save` keeps. */
function show(save: (city: City) => unknown): void {
  function Example() {
    const [opened, setOpened] = useState(false);
    return (
      <MantineProvider theme={theme}>
        <button type="button" onClick={() => setOpened(true)}>
          Edit
        </button>
        <FormDialog
          opened={opened}
          onClose={() => setOpened(false)}
          title="City"
          initial={initial}
          draft={{ name: "city", schema: z.object({ name: z.string(), note: z.string() }), without: "map" }}
          canSave={({ name }) => name.trim() !== ""}
          save={async (city) => {
            await save(city);
            setOpened(false);
          }}
          renderAside={({ values }) => values.map && <p>{values.map.name}</p>}
        >
          {({ field, set }) => (
            <>
              <NameInput {...field("name")} maxLength={100} />
              <Textarea label="Note" {...field("note")} />
              <button type="button" onClick={() => set({ map })}>
                Choose a map
              </button>
            </>
          )}
        </FormDialog>
        <ConfirmHost />
      </MantineProvider>
    );
  }
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  onTestFinished(() => root.unmount());
  root.render(<Example />);
}

const edit = page.getByRole("button", { name: "Edit" });
const dialog = page.getByRole("dialog", { name: "City" });
const name = dialog.getByRole("textbox", { name: "Name" });
const save = dialog.getByRole("button", { name: "Save" });
const question = page.getByRole("dialog", { name: "Discard your changes?" });

it("saves what was typed once, closes, and returns the focus; the next opening begins with the initial values", async () => {
  let finish: () => void = () => undefined;
  const saved = vi.fn<(city: City) => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
  show(saved);
  await edit.click();
  await expect.element(name).toHaveFocus();
  await name.fill(" ");
  await expect.element(save).toBeDisabled();
  await name.fill("Hamburg");
  await userEvent.keyboard("{Enter}{Enter}");
  await expect.element(save).toHaveAttribute("data-loading", "true");
  expect(saved.mock.calls).toEqual([[{ name: "Hamburg", note: "", map: null }]]);
  finish();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(edit).toHaveFocus();
  await edit.click();
  await expect.element(name).toHaveValue("Kiel");
});

it("says why it was not saved until the next attempt, and marks the refused field until it is changed", async () => {
  const taken = new GatewayError(409, [{ code: "name-taken", message: "There is a city of this name.", path: "name" }]);
  let answer: () => Promise<void> = () => Promise.reject(taken);
  show(() => answer());
  await edit.click();
  await save.click();
  await expectText(dialog.getByRole("alert"), "Save failed: There is a city of this name.");
  await expect.element(name).toHaveAttribute("aria-invalid", "true");
  await expect.element(dialog.getByRole("textbox", { name: "Note" })).not.toHaveAttribute("aria-invalid");
  expect(await axeViolations()).toEqual([]);
  await name.fill("Lübeck");
  await expect.element(name).not.toHaveAttribute("aria-invalid");
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  let fail: (error: Error) => void = () => undefined;
  answer = () => new Promise((_, reject) => (fail = reject));
  await save.click();
  await expect.element(dialog.getByRole("alert")).not.toBeInTheDocument();
  fail(new Error("The line is dead."));
  await expectText(dialog.getByRole("alert"), "Save failed: The line is dead.");
});

it("asks before what was typed or chosen is lost, and only then", async () => {
  show(() => undefined);
  await edit.click();
  await expect.element(name).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await edit.click();
  await dialog.getByRole("button", { name: "Choose a map" }).click();
  await expect.element(dialog.getByText("map.svg")).toBeVisible();
  // No reload keeps a file: a draft of it alone would have nothing.
  expect(hasDraft("city")).toBe(false);
  await userEvent.keyboard("{Escape}");
  await expect.element(question).toBeVisible();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(dialog.getByText("map.svg")).toBeVisible();
  await name.fill("Plön");
  await expect.poll(() => hasDraft("city")).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(hasDraft("city")).toBe(false);
});

it("goes on with what was typed before a reload, and says so", async () => {
  keepDraft("city", { name: "Husum", note: "Gray town" });
  show(() => undefined);
  await edit.click();
  await expect.element(name).toHaveValue("Husum");
  await expect.element(dialog.getByText("Restored what you typed before the page was reloaded.")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await edit.click();
  await expect.element(name).toHaveValue("Kiel");
});

it("saves by Ctrl+Enter from every field, though only what can be saved", async () => {
  const saved = vi.fn<(city: City) => void>();
  show(saved);
  await edit.click();
  const note = dialog.getByRole("textbox", { name: "Note" });
  await name.fill("");
  await note.fill("Harbor");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await name.fill("Bremen");
  expect(saved).not.toHaveBeenCalled();
  await note.click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved).toHaveBeenCalledExactlyOnceWith({ name: "Bremen", note: "Harbor", map: null });
});
