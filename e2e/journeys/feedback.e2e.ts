import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { visitAs } from "../support/sign-in.ts";

const modal = (page: Page) => page.getByRole("dialog", { name: "Submit Feedback" });
const button = (page: Page, name: string) => modal(page).getByRole("button", { name, exact: true });
const entry = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Submit Feedback" });

async function openFeedback(page: Page): Promise<void> {
  await entry(page).click();
  await expect(modal(page)).toBeVisible();
}

async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  await modal(page)
    .getByLabel("Attachment", { exact: true })
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
}

/** A promise that the journey resolves with `open`. */
function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const type = (page: Page) => modal(page).getByRole("combobox", { name: "Type" });
const comment = (page: Page) => modal(page).getByRole("textbox", { name: "Comment" });
const attached = (page: Page) => modal(page).getByRole("list", { name: "Attachments" }).getByRole("listitem");
const formStatus = (page: Page) => modal(page).locator("[data-status]").first();

test("[FEEDBACK-04][FEEDBACK-05][FEEDBACK-06][FEEDBACK-07][FEEDBACK-10][FEEDBACK-12][FEEDBACK-29][FEEDBACK-30][FEEDBACK-31][FEEDBACK-32] a user submits feedback, is thanked, and can see its status", async ({
  page,
}) => {
  const account = await createAccount();
  await visitAs(page, account.username, account.password);
  await openFeedback(page);
  expect(await axeViolations(page)).toEqual([]);
  await type(page).selectOption("data");
  await comment(page).fill("  Heights of <b>every</b> runway.  ");
  await modal(page).getByRole("checkbox", { name: "airports" }).check();
  await choose(page, "sketch.txt", "like this");
  await expect(attached(page)).toHaveText(["sketch.txt"]);
  const gate = createGate();
  await page.route("**/api/feedback/create", async (route) => {
    await gate.opened;
    await route.continue();
  });
  const created = page.waitForResponse("**/api/feedback/create");
  await button(page, "Submit").click();
  await expect(modal(page).getByText("Submitting Feedback...")).toBeVisible();
  await expect(formStatus(page)).toHaveAttribute("data-status", "submiting");
  gate.open();
  const answer = await created;
  expect(answer.status()).toBe(201);
  expect(answer.request().postDataJSON()).toEqual({
    username: account.username,
    name: "Grace Keller",
    email: "grace@fairway.example",
    type: "data",
    description: "Heights of <b>every</b> runway.",
    datasets: ["Aviation/airports"],
    attachments: [expect.any(String)],
  });
  await expect(modal(page).getByText("Thank you! Your feedback has been submitted.")).toBeVisible();
  await expect(formStatus(page)).toHaveAttribute("data-status", "success");
  await expect(button(page, "Cancel")).toHaveCount(0);
  await expect(button(page, "Submit")).toHaveCount(0);
  await button(page, "Close").click();
  await expect(modal(page)).toHaveCount(0);
  await openFeedback(page);
  await expect(comment(page)).toHaveValue("");
  await expect(modal(page).getByText(/Thank you/)).toHaveCount(0);
  await modal(page).getByRole("tab", { name: "Your feedback" }).click();
  const own = modal(page).getByRole("list", { name: "Your feedback" }).getByRole("listitem");
  await expect(own).toHaveCount(1);
  for (const text of ["Data Product Request", "New", "Heights of <b>every</b> runway.", "Aviation/airports", "sketch.txt"]) {
    await expect(own).toContainText(text);
  }
});

test("[FEEDBACK-19][FEEDBACK-20][FEEDBACK-21][FEEDBACK-22][FEEDBACK-23][FEEDBACK-24][FEEDBACK-25][FEEDBACK-26][FEEDBACK-27][FEEDBACK-28] attachments are uploaded one by one, limited in number and size, and removed only after a confirmation", async ({
  page,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/attachment could not be uploaded/);
  const account = await createAccount();
  await page.clock.install();
  await visitAs(page, account.username, account.password);
  await openFeedback(page);
  const gate = createGate();
  await page.route("**/api/feedback/upload", async (route) => {
    await gate.opened;
    await route.continue();
  });
  const uploaded = page.waitForResponse("**/api/feedback/upload");
  await choose(page, "one.txt", "first");
  await expect(modal(page).getByText(/^Uploading, \d+%$/)).toBeVisible();
  gate.open();
  const answer = await uploaded;
  expect(answer.request().headers()["content-type"]).toMatch(/^multipart\/form-data/);
  expect(await answer.json()).toEqual({ id: expect.any(String), filename: "one.txt" });
  await expect(modal(page).getByText("File successfully uploaded!")).toBeVisible();
  await page.clock.runFor(1_900);
  await expect(modal(page).getByText("File successfully uploaded!")).toBeVisible();
  await page.clock.runFor(200);
  await expect(modal(page).getByText("File successfully uploaded!")).toHaveCount(0);

  await choose(page, "trap.png", "<script>alert(1)</script>");
  await expect(modal(page).getByText("File failed to upload.")).toBeVisible();
  await page.clock.runFor(2_100);
  await expect(modal(page).getByText("File failed to upload.")).toHaveCount(0);
  await expect(modal(page).getByLabel("Attachment", { exact: true })).not.toHaveAttribute("multiple");
  const uploads: string[] = [];
  page.on("request", (request) => uploads.push(request.url()));
  await choose(page, "huge.txt", Buffer.alloc(10_000_001, "a"));
  await expect(page.getByText("Large File")).toBeVisible();
  await expect(page.getByText('The file "huge.txt" is too large, files must be under 10MB.')).toBeVisible();
  expect(uploads.filter((url) => url.endsWith("/feedback/upload"))).toEqual([]);

  await choose(page, "two.txt", "second");
  await expect(attached(page)).toHaveText(["one.txt", "two.txt"]);
  await choose(page, "three.txt", "third");
  await expect(attached(page)).toHaveText(["one.txt", "two.txt", "three.txt"]);
  await expect(button(page, "Add Attachment")).toHaveCount(0);
  const question = page.getByRole("dialog", { name: "Remove Attachment?" });
  await button(page, "Remove two.txt").click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(attached(page)).toHaveCount(3);
  await button(page, "Remove two.txt").click();
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(attached(page)).toHaveText(["one.txt", "three.txt"]);
  await expect(button(page, "Add Attachment")).toBeVisible();
});

test("administrators can see feedback, set its status and download its attachments; its author sees the status", async ({
  page,
  signIn,
  request,
}) => {
  const account = await createAccount();
  const token = bearer(await tokenOf(request, account.username, account.password));
  const file = { name: "sketch.txt", mimeType: "text/plain", buffer: Buffer.from("like this") };
  const uploaded = (await (await request.post("/api/feedback/upload", { ...token, multipart: { file } })).json()) as { id: string };
  const description = `It creaks, ${account.username} <b>says</b>`;
  const draft = {
    username: account.username,
    name: "",
    email: "",
    type: "bug",
    description,
    datasets: [],
    attachments: [uploaded.id],
  };
  expect((await request.post("/api/feedback/create", { ...token, data: draft })).status()).toBe(201);

  await signIn("admin");
  await page.goto("/user-settings");
  await page.getByRole("navigation", { name: "Users and feedback" }).getByRole("link", { name: "Feedback" }).click();
  await expect(page).toHaveURL(/\/feedback-settings$/);
  const submission = page.getByRole("list", { name: "Feedback" }).getByRole("listitem").filter({ hasText: description });
  await expect(submission).toContainText(`Grace Keller (${account.username})`);
  expect(await axeViolations(page)).toEqual([]);
  const downloading = page.waitForEvent("download");
  await submission.getByRole("link", { name: "sketch.txt" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("sketch.txt");
  expect(await readFile(await download.path(), "utf8")).toBe("like this");
  const saved = page.waitForResponse((answer) => answer.url().endsWith("/api/admin/feedback") && answer.request().method() === "PUT");
  await submission.getByRole("combobox").selectOption("in progress");
  expect((await saved).status()).toBe(200);
  await page.getByRole("combobox", { name: "Status", exact: true }).selectOption("in progress");
  await expect(submission).toBeVisible();
  await page.getByRole("combobox", { name: "Status", exact: true }).selectOption("done");
  await expect(submission).toHaveCount(0);
  const own = (await (await request.get("/api/feedback/own", token)).json()) as unknown[];
  expect(own).toEqual([expect.objectContaining({ status: "in progress", description })]);
});
