import { assistants } from "@fairway/contract/assistants";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { tools } from "#testing/assistants.ts";

it("shows how to connect an assistant and what it can do, and whether assistants are allowed", async () => {
  gateway.answer(assistants.about, { enabled: false, tools });
  await openScreen("/assistants");
  await expect.element(page.getByRole("heading", { level: 1, name: "Assistants" })).toBeVisible();
  await expect.element(page.getByRole("note")).toHaveTextContent("An administrator has turned off assistants for this portal.");
  await expect.element(page.getByRole("region", { name: "Server configuration" })).toHaveTextContent(`"url": "${location.origin}/api/mcp"`);
  await expect
    .element(page.getByRole("region", { name: "What assistants can do" }))
    .toHaveTextContent("Search rows search_rowsRows of a dataset.");
  await expect.element(page.getByRole("link", { name: "Create an API key" })).toHaveAttribute("href", "/keys");
  await expect.element(page.getByRole("region", { name: "Administration" })).not.toBeInTheDocument();
  await expectAccessible();
});

it("shows an error when it cannot be loaded, and loads again", async () => {
  gateway.answer(assistants.about, { enabled: true, tools });
  gateway.refuse(assistants.about, "internal", "The gateway is starting.", { times: 1 });
  await openScreen("/assistants");
  await expect.element(page.getByRole("alert")).toHaveTextContent("The gateway is starting.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("Rows of a dataset.")).toBeVisible();
});
