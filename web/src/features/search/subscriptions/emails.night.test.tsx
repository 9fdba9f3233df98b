import { boards } from "@fairway/contract/boards";
import { savedSearches } from "@fairway/contract/saved-searches";
import { type SubscriptionDelivery, subscriptions } from "@fairway/contract/subscriptions";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { board, openBoard } from "#testing/opened-screens.ts";
import { alterRows, katrina, openResults } from "#testing/results.ts";
import { serveSavedSearches } from "#testing/saved-searches.ts";
import { saved } from "#testing/alerts.ts";
import { buildSubscription, serveSubscriptions, item, dialog } from "#testing/subscriptions.ts";

const choose = async (name: string, action: string) => {
  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
};

it("sends a search by email, saved under its name, with its rows where the portal allows it", async () => {
  alterRows((rows) => rows.slice(0, 2));
  serveSavedSearches([]);
  serveSubscriptions([], { allowsRows: true });
  await openResults(katrina);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Send by email …" }).click();
  const form = dialog("Send by email");
  await form.getByRole("textbox", { name: "Name" }).fill("Katrina");
  await form.getByRole("checkbox", { name: "Attach the rows as CSV" }).click();
  gateway.answer(savedSearches.create, saved);
  gateway.answer(savedSearches.list, [saved]);
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(gateway.received(savedSearches.create).map(({ body }) => body.queryName)).toEqual(["Katrina"]);
  expect(gateway.received(subscriptions.create).map(({ body }) => [body.of, body.withRows])).toEqual([[{ savedSearchId: saved.id }, true]]);
});

it("says where the portal sends no emails, and where the account has no address", async () => {
  serveSubscriptions([], { sendsEmail: false, emailAddress: null });
  gateway.answer(boards.list, [board]);
  await openBoard();
  await page.getByRole("button", { name: "More actions" }).click();
  const entry = page.getByRole("menuitem", { name: "Send by email …" });
  await expect.element(entry).toHaveTextContent("This portal sends no emails.");
  await expect.element(entry).toBeDisabled();
  await openScreen("/alerts/emails");
  await expect.element(page.getByText("This portal sends no emails.")).toBeVisible();
  serveSubscriptions([buildSubscription("Season")], { emailAddress: null });
  await openScreen("/alerts/emails");
  await choose("Season", "Edit");
  await expectText(dialog("Edit email").getByRole("alert"), "Your account has no email address.");
  await expect.element(dialog("Edit email").getByRole("button", { name: "Save" })).toBeDisabled();
});

it("edits an email, sends it now, shows its deliveries and deletes it", async () => {
  serveSubscriptions([buildSubscription("Season")]);
  await openScreen("/alerts/emails");
  await choose("Season", "Edit");
  const form = dialog("Edit email");
  for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]) await form.getByRole("checkbox", { name: day }).click();
  await expect.element(form.getByRole("button", { name: "Save" })).toBeDisabled();
  await form.getByRole("checkbox", { name: "Sunday" }).click();
  gateway.refuse(subscriptions.edit, "name-taken", "A subscription with this name already exists.", { times: 1 });
  await form.getByRole("button", { name: "Save" }).click();
  await expectText(form.getByRole("alert"), "Save failed: A subscription with this name already exists.");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(item("Season")).toHaveTextContent("Sunday at 08:05 (Europe/Berlin)");
  await choose("Season", "Send now");
  await expect.element(item("Season")).toHaveTextContent("NextNow");
  gateway.refuse(subscriptions.send, "too-many-requests", "It was sent a moment ago. Try again in a minute.");
  await choose("Season", "Send now");
  await expect.element(page.getByText("It was sent a moment ago. Try again in a minute.")).toBeVisible();
  const delivery = (id: string, overrides: Partial<SubscriptionDelivery> = {}): SubscriptionDelivery => ({
    id,
    startedMs: 60_000,
    kind: "sent",
    isAsked: false,
    notReady: [],
    reason: "",
    durationMs: 4,
    ...overrides,
  });
  const newest = [
    delivery("3", { isAsked: true, notReady: ["Rain", "Map"] }),
    delivery("2", { kind: "failed", reason: "The account is locked." }),
  ];
  gateway.answer(subscriptions.deliveries, ({ query: { before } }) =>
    before === undefined ? { deliveries: newest, hasMore: true } : { deliveries: [delivery("1", { kind: "unchanged" })], hasMore: false },
  );
  await press("Enter", page.getByRole("button", { name: "Season", exact: true }));
  const rows = dialog("Deliveries of Season").getByRole("list", { name: "Deliveries" }).getByRole("listitem");
  await expect.element(rows.nth(0)).toHaveTextContent("Sent, as you askedNot ready in time: Rain, Map.");
  await expect.element(rows.nth(1)).toHaveTextContent("Not sentThe account is locked.");
  await page.getByRole("button", { name: "Load older deliveries" }).click();
  await expect.element(rows.nth(2)).toHaveTextContent("Nothing had changed");
  await press("Escape");
  await choose("Season", "Delete");
  await dialog("Delete Email?").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("No emails yet")).toBeVisible();
});
