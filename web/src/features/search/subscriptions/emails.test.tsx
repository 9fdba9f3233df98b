import { subscriptions } from "@fairway/contract/subscriptions";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { board, openBoard } from "#testing/opened-screens.ts";
import { buildSubscription, serveSubscriptions, item, dialog } from "#testing/subscriptions.ts";

it("lists emails beside the alerts, with what they send, when, and why one is paused", async () => {
  serveSubscriptions([
    buildSubscription("Season", { onlyIfChanged: true }),
    buildSubscription("Rain", {
      of: { savedSearchId: "s" },
      ofName: null,
      link: null,
      at: { hour: 17, minute: 0, weekdays: [7, 1], zone: "UTC" },
      state: "paused",
      reason: "Your account has no email address.",
      lastSentMs: null,
      nextMs: null,
    }),
  ]);
  await openScreen("/alerts/emails");
  await expect
    .element(item("Season"))
    .toHaveTextContent(
      "ActiveSeasonBoard “Hurricane season”: Monday to Friday at 08:05 (Europe/Berlin), only if something changedLast sent5 minutes ago",
    );
  await expect
    .element(item("Rain"))
    .toHaveTextContent("PausedRainSaved search: Monday and Sunday at 17:00 (UTC)Your account has no email address.Last sentNeverNextNone");
  await expect.element(page.getByRole("link", { name: "Emails" })).toHaveAttribute("aria-current", "page");
  expect(await axeViolations()).toEqual([]);
});

it("sends a board by email from its actions, by keyboard", async () => {
  serveSubscriptions([]);
  await openBoard();
  await press("Enter", page.getByRole("button", { name: "More actions" }));
  await page.getByRole("menuitem", { name: "Send by email …" }).click();
  const form = dialog("Send by email");
  await expect.element(form.getByRole("textbox", { name: "Name" })).toHaveValue(board.name);
  await expect.element(form.getByText("Sent to ada@example.org.")).toBeVisible();
  await form.getByRole("textbox", { name: "Name" }).fill("Mornings");
  await form.getByLabelText(/^Time(?! zone)/).fill("06:30");
  for (const day of ["Monday", "Saturday"]) await form.getByRole("checkbox", { name: day }).click();
  await form.getByRole("checkbox", { name: "Only if something changed" }).click();
  expect(await axeViolations()).toEqual([]);
  await focus(form.getByRole("textbox", { name: "Name" }));
  await press("Enter");
  await expect.element(form).not.toBeInTheDocument();
  expect(gateway.received(subscriptions.create).map(({ body }) => body)).toEqual([
    {
      name: "Mornings",
      of: { boardId: board.id },
      at: { hour: 6, minute: 30, weekdays: [2, 3, 4, 5, 6], zone: expect.any(String) },
      onlyIfChanged: true,
      withRows: false,
    },
  ]);
  await page.getByRole("button", { name: "View emails" }).click();
  await expect.element(item("Mornings")).toBeVisible();
});
