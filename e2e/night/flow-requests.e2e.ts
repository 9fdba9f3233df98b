import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";

const flow = "lightning-import";
const request = "Import lightning";
const content = (name: string, schedulingPeriod: string) => ({
  name: `${name}.json`,
  mimeType: "application/json",
  buffer: Buffer.from(
    JSON.stringify(
      {
        flowContents: {
          identifier: "6b3c1b0e-0000-4000-8000-000000000001",
          name: flow,
          processors: [
            {
              identifier: "6b3c1b0e-0000-4000-8000-000000000002",
              name: "Fetch lightning",
              type: "org.apache.nifi.processors.standard.InvokeHTTP",
              schedulingPeriod,
              properties: {},
            },
          ],
        },
      },
      null,
      2,
    ),
  ),
});
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const menu = (page: Page, name: RegExp) => page.getByRole("navigation", { name: "NiFlow" }).getByRole("link", { name });
async function act(page: Page, action: string, confirmation: string): Promise<void> {
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: confirmation });
  await dialog.getByRole("button", { name: action, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test("a member of a flow group proposes a change, iterates and submits it; an administrator comments and accepts it", async ({
  page,
  signIn,
  browser,
}) => {
  await signIn("developer");
  await page.goto("/niflow-flows");
  await page.getByRole("button", { name: "New Flow", exact: true }).click();
  await page.getByRole("textbox", { name: "Flow Name" }).fill(flow);
  await page.getByRole("dialog", { name: "New Flow" }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("table", { name: "Flows of Storm desk" }).getByRole("link", { name: flow, exact: true })).toBeVisible();

  await menu(page, /^Flow Requests/).click();
  await page.getByRole("button", { name: "New Request" }).click();
  const dialog = page.getByRole("dialog", { name: "New Request" });
  await dialog.getByRole("combobox", { name: "Flow" }).fill(flow);
  await page.getByRole("option", { name: `Storm desk/${flow}` }).click();
  await dialog.getByRole("textbox", { name: "Request Name" }).fill(request);
  await dialog.getByLabel("Content").setInputFiles(content("first", "1 min"));
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(heading(page, request)).toBeVisible();
  await expect(page).toHaveURL(/\/niflow-requests\/storm-desk\/\d+\/\d+/);

  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Create New Iteration" }).click();
  const iteration = page.getByRole("dialog", { name: "Create New Iteration" });
  await iteration.getByLabel("Content").setInputFiles(content("second", "5 min"));
  await iteration.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByText("Iteration 2", { exact: true }).first()).toBeVisible();
  await act(page, "Submit for Review", "Submit for review?");
  await expect(page.getByText("Ready for Review").first()).toBeVisible();

  const admin = await browser.newPage();
  await signIn("admin", admin);
  await admin.goto("/niflow-flows");
  await expect(menu(admin, /^Flow Requests \d+ waiting for your review$/)).toBeVisible();
  await admin.getByRole("complementary", { name: "Needs my review" }).getByRole("link", { name: request }).click();
  await expect(heading(admin, request)).toBeVisible();
  await admin.getByRole("textbox", { name: "new comment", exact: true }).fill("Every five minutes is **enough**.");
  await admin.getByRole("button", { name: "Add", exact: true }).click();
  await expect(admin.getByText("Every five minutes is enough.")).toBeVisible();
  await act(admin, "Accept", "Accept this request?");
  await expect(admin.getByRole("button", { name: "Actions" })).toBeHidden();
  await admin.close();

  await page.reload();
  await expect(page.getByText("Every five minutes is enough.")).toBeVisible();
  await expect(page.getByText("Accepted", { exact: true }).first()).toBeVisible();
  await menu(page, /^Flows$/).click();
  await page.getByRole("table", { name: "Flows of Storm desk" }).getByRole("link", { name: flow, exact: true }).click();
  await expect(page.getByRole("main")).toContainText("Last Updated just now");
  await expect(page.getByRole("grid", { name: `Content of ${request}, iteration 2` })).toContainText('"schedulingPeriod": "5 min"');
});
