import { type AuditEvent, auditing, auditPageSize } from "@fairway/contract/audit";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const table = () => page.getByRole("table", { name: "Audit events" });
const rows = () =>
  table()
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
const administrator = { roles: ["admin"] };

const event = (index: number, overrides: Partial<AuditEvent> = {}): AuditEvent => ({
  id: String(index),
  responseCode: 200,
  method: "GET",
  path: "/api/favorite/datasets",
  username: "grace",
  requestTimeMs: 1_700_000_000_000 - index * 1_000,
  ipAddress: "127.0.0.1",
  client: { browser: "Unknown", operatingSystem: "Unknown", device: "Unknown" },
  details: { durationMs: 1, userId: "u-1", apiKey: null, route: "/favorite/datasets", userAgent: "" },
  ...overrides,
});
const log = [event(0, { responseCode: 403, username: "ada" }), ...Array.from({ length: 60 }, (_, index) => event(index + 1))];

beforeEach(() => {
  gateway.answer(auditing.usernames, ["ada", "grace"]);
  gateway.answer(auditing.responseCodes, [200, 403]);
  gateway.answer(auditing.events, ({ query: { username, responseCode, pageNumber } }) => {
    const matches = log.filter(
      (entry) =>
        (username === undefined || entry.username === username) && (responseCode === undefined || entry.responseCode === responseCode),
    );
    return {
      content: matches.slice((pageNumber - 1) * auditPageSize, pageNumber * auditPageSize),
      pageable: { pageNumber: pageNumber - 1, pageSize: auditPageSize },
      last: matches.length <= pageNumber * auditPageSize,
      totalElements: matches.length,
      totalIsLowerBound: false,
    };
  });
});

it("choices that fail to load show an error and can be typed instead", async () => {
  gateway.refuse(auditing.usernames, "internal", "It broke.", { times: 1 });
  gateway.refuse(auditing.responseCodes, "internal", "It broke.", { times: 1 });
  await openScreen("/auditing", administrator);
  const filters = page.getByRole("search", { name: "Filters" });
  await expect.element(filters).toHaveTextContent("The usernames could not be loaded.");
  await expect.element(filters).toHaveTextContent("The codes could not be loaded.");
  await page.getByLabelText("Username", { exact: true }).fill("ada");
  await expectCount(rows(), 1);
  await type("403", page.getByLabelText("Response Code", { exact: true }));
  await expect.poll(() => gateway.received(auditing.events).at(-1)?.query).toMatchObject({ username: "ada", responseCode: 403 });
  await expectCount(rows(), 1);
  for (const retry of ["Retry: Username", "Retry: Response Code"]) await filters.getByRole("button", { name: retry }).click();
  await expect.element(filters.getByRole("combobox", { name: "Username" })).toHaveValue("ada");
  await expect.element(filters.getByRole("combobox", { name: "Response Code" })).toHaveValue("403");
  await expectCount(rows(), 1);
});

it("[AUDIT-13] a failed load shows an error and can be retried, even for a further page", async () => {
  gateway.refuse(auditing.events, "internal", "It broke.", { times: 1 });
  await openScreen("/auditing", administrator);
  const failed = page.getByText("Failed to load audit logs");
  await expect.element(failed).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(table()).toBeVisible();
  await page.getByLabelText("Username", { exact: true }).selectOptions("grace");
  await expect.element(page.getByText("50 of 60 shown")).toBeVisible();
  gateway.refuse(auditing.events, "internal", "It broke.", { times: 1 });
  await page.getByRole("button", { name: "Load More" }).click();
  await expect.element(failed).toBeVisible();
  await expect.element(page.getByText("50 of 60 shown")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("60 of 60 shown")).toBeVisible();
});

it("filters by times of the browser's zone to the end of the last second, also in exports", async () => {
  await openScreen("/auditing", administrator);
  await expect.element(table()).toBeVisible();
  const filters = page.getByRole("search", { name: "Filters" });
  await filters.getByLabelText("From", { exact: true }).fill("2023-11-14T17:00:00");
  await filters.getByLabelText("To", { exact: true }).fill("2023-11-14T17:13:19");
  const range = { from: "2023-11-14T22:00:00.000Z", to: "2023-11-14T22:13:19.999Z" };
  await expect.poll(() => gateway.received(auditing.events).at(-1)?.query).toMatchObject(range);
  const address = new URL(page.getByRole("link", { name: "Export CSV" }).element().getAttribute("href") ?? "", location.origin);
  expect(Object.fromEntries(address.searchParams)).toEqual({ ...range, format: "csv" });
});
