import { auditing } from "@fairway/contract/audit";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { buildEvent, pageOfEvents } from "#testing/audit.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { table, rows, administrator, pageSize, serveAudit } from "#testing/auditing.ts";

beforeEach(serveAudit);

it("[AUDIT-13] a failed load shows an error and can be retried, even for a further page", async () => {
  gateway.refuse(auditing.events, "internal", "It broke.", { times: 1 });
  await openScreen("/auditing", administrator);
  const failed = page.getByText("Failed to load audit logs");
  await expect.element(failed).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(table()).toBeVisible();
  await page.getByLabelText("Username", { exact: true }).selectOptions("grace");
  await expect.element(page.getByText("6 of 8 shown")).toBeVisible();
  gateway.refuse(auditing.events, "internal", "It broke.", { times: 1 });
  await page.getByRole("button", { name: "Load More" }).click();
  await expect.element(failed).toBeVisible();
  await expect.element(page.getByText("6 of 8 shown")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("8 of 8 shown")).toBeVisible();
});

describe("the log of one user and code", () => {
  openOnce(async () => {
    await openScreen("/auditing", administrator);
    await page.getByLabelText("Username", { exact: true }).selectOptions("ada");
    await page.getByLabelText("Response Code", { exact: true }).selectOptions("403");
  });

  it("[ROUTE-30][AUDIT-01] is a table on /auditing", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "Audit Logs" })).toBeVisible();
    await expect.element(table()).toBeVisible();
  });

  it("[AUDIT-02][AUDIT-03] has only what the chosen user got the chosen response for", async () => {
    await expectCount(rows(), 1);
    await expect.element(rows()).toHaveTextContent("/api/favorite/datasets");
    await expectAccessible();
  });

  it("[AUDIT-05] shows all details of an event in a dialog", async () => {
    await press("Enter", rows().getByRole("button"));
    const dialog = page.getByRole("dialog", { name: "Audit Event" });
    for (const text of ["ada", "403", "GET", "/api/favorite/datasets", "127.0.0.1", "User agent", "Duration"]) {
      await expect.element(dialog).toHaveTextContent(text);
    }
    await press("Escape");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(rows().getByRole("button")).toHaveFocus();
  });

  it("is limited by times of the browser's zone to the end of the last second, also in exports", async () => {
    const filters = page.getByRole("search", { name: "Filters" });
    await filters.getByLabelText("From", { exact: true }).fill("11/14/2023 5 pm");
    await filters.getByLabelText("To", { exact: true }).click();
    await expect.element(filters.getByText("Enter a time, such as 09-02-2004, 3:30 pm or 2004-09-02T15:30.")).toBeVisible();
    await filters.getByLabelText("From", { exact: true }).fill("11/14/2023 5:00 pm");
    await filters.getByLabelText("To", { exact: true }).fill("2023-11-14T17:13:19");
    const range = { from: "2023-11-14T22:00:00.000Z", to: "2023-11-14T22:13:19.999Z" };
    await expect.poll(() => gateway.received(auditing.events).at(-1)?.query).toMatchObject(range);
    await expect.element(filters.getByLabelText("From", { exact: true })).toHaveValue("11-14-2023, 5:00:00 pm");
    const address = new URL(page.getByRole("link", { name: "Export CSV" }).element().getAttribute("href") ?? "", location.origin);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      username: "ada",
      responseCode: "403",
      ...range,
      hideBackground: "true",
      format: "csv",
    });
  });
});

it("[AUDIT-04] Load More adds the next page and disappears after the last; the names of the buttons are unique", async () => {
  // Calls within one second.
  const identical = Array.from({ length: 12 }, (_, index) => buildEvent(index, { requestTimeMs: 1_700_000_000_000 }));
  gateway.answer(auditing.events, ({ query: { pageNumber } }) => pageOfEvents(identical, pageNumber, pageSize));
  await openScreen("/auditing", administrator);
  await expect.element(page.getByText("6 of 12 shown")).toBeVisible();
  const more = page.getByRole("button", { name: "Load More" });
  await more.click();
  await expect.element(page.getByText("12 of 12 shown")).toBeVisible();
  await expect.element(more).not.toBeInTheDocument();
  const names = rows()
    .getByRole("button")
    .elements()
    .map((button) => button.getAttribute("aria-label"));
  expect(names.length).toBeGreaterThan(10);
  expect(new Set(names).size).toBe(names.length);
});

it("[AUDIT-01][AUDIT-03] on a phone events show method and path, and the filters open with a button that shows their count", async () => {
  await page.viewport(390, 844);
  await openScreen("/auditing", administrator);
  const filters = page.getByRole("search", { name: "Filters" });
  await expect.element(filters).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await filters.getByLabelText("Username", { exact: true }).selectOptions("ada");
  await filters.getByLabelText("Response Code").selectOptions("403");
  await expectCount(rows(), 1);
  for (const text of ["GET", "/api/favorite/datasets"]) {
    await expect.element(rows().getByRole("cell", { name: text, exact: true })).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole("button", { name: "Filters (2)", exact: true }).click();
  await expect.element(filters).not.toBeInTheDocument();
  await expectCount(table().getByRole("columnheader"), 8);
});

it("background reads are hidden, also in exports, until the browser's administrator chooses to see them", async () => {
  const sent = () => gateway.received(auditing.events).at(-1)?.query.hideBackground;
  await openScreen("/auditing", administrator);
  const hide = page.getByRole("checkbox", { name: "Hide background reads" });
  await expect.element(hide).toBeChecked();
  await expect.element(page.getByText("9 events · background reads hidden")).toBeVisible();
  expect(sent()).toBe(true);
  await press(" ", hide);
  await expect.poll(sent).toBeUndefined();
  await expect.element(page.getByText("9 events · Times in")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Export CSV" }))
    .not.toHaveAttribute("href", expect.stringContaining("hideBackground"));
  await openScreen("/auditing", administrator);
  await expect.element(hide).not.toBeChecked();
  expect(sent()).toBeUndefined();
});

it("an event shows its duration, a word for its failure, and a client without its minor versions", async () => {
  const client = { browser: "Chrome 156.0.0.0", operatingSystem: "Windows 10.0.1", device: "Desktop" };
  const events = [[200], [304], [401, "denied"], [409, "refused"], [499, "canceled"], [503, "failed"]] as const;
  const served = events.map(([responseCode], index) =>
    buildEvent(index, { responseCode, client, details: { ...buildEvent(0).details, durationMs: 1_250 } }),
  );
  gateway.answer(auditing.events, pageOfEvents(served));
  await openScreen("/auditing", administrator);
  for (const [code, word] of events) {
    await expect
      .element(table().getByRole("cell", { name: word === undefined ? String(code) : `${code} ${word}`, exact: true }))
      .toBeVisible();
  }
  await expect.element(rows().nth(0).getByRole("cell", { name: "1.2 s", exact: true })).toBeVisible();
  await expect
    .element(rows().nth(0).getByText("Chrome 156, Windows 10", { exact: true }))
    .toHaveAttribute("title", "Chrome 156.0.0.0, Windows 10.0.1");
});
