import { readFile } from "node:fs/promises";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

test("a user submits feedback with an attachment; administrators download it and set the status, which the user sees", async ({
  page,
  browser,
  signIn,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/attachment could not be uploaded/);
  const account = await signInAsNewAccount(page);
  const description = `It creaks, ${account.username} <b>says</b>`;
  const modal = page.getByRole("dialog", { name: "Submit Feedback" });
  const openFeedback = () => page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Submit Feedback" }).click();
  const choose = (name: string, content: string) =>
    modal
      .getByLabel("Attachment", { exact: true })
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
  await page.goto("/notices");

  await test.step("the user submits it", async () => {
    await openFeedback();
    await modal.getByRole("combobox", { name: "Type" }).selectOption("bug");
    await modal.getByRole("textbox", { name: "Comment" }).fill(`  ${description} `);
    await choose("trap.png", "<script>alert(1)</script>");
    await expect(modal.getByText("File failed to upload.")).toBeVisible();
    const [uploaded] = await Promise.all([page.waitForResponse("**/api/feedback/upload"), choose("sketch.txt", "like this")]);
    expect(uploaded.request().headers()["content-type"]).toMatch(/^multipart\/form-data/);
    expect(await uploaded.json()).toEqual({ id: expect.any(String), filename: "sketch.txt" });
    await expect(modal.getByRole("list", { name: "Attachments" }).getByRole("listitem")).toHaveText(["sketch.txt"]);
    const [created] = await Promise.all([
      page.waitForResponse("**/api/feedback/create"),
      modal.getByRole("button", { name: "Submit", exact: true }).click(),
    ]);
    expect(created.status()).toBe(201);
    await expect(modal.getByText("Thank you! Your feedback has been submitted.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(modal).toHaveCount(0);
  });

  await test.step("an administrator downloads the attachment and sets the status", async () => {
    const admin = await browser.newPage();
    await signIn("admin", admin);
    await admin.goto("/feedback-settings");
    const submission = admin.getByRole("list", { name: "Feedback" }).getByRole("listitem").filter({ hasText: description });
    await expect(submission).toContainText(`Grace Keller (${account.username})`);
    const downloading = admin.waitForEvent("download");
    await submission.getByRole("link", { name: "sketch.txt" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("sketch.txt");
    expect(await readFile(await download.path(), "utf8")).toBe("like this");
    const [saved] = await Promise.all([
      admin.waitForResponse((answer) => answer.url().endsWith("/api/admin/feedback") && answer.request().method() === "PUT"),
      submission.getByRole("combobox").selectOption("in progress"),
    ]);
    expect(saved.status()).toBe(200);
    const status = admin.getByRole("combobox", { name: "Status", exact: true });
    await status.selectOption("in progress");
    await expect(submission).toBeVisible();
    await status.selectOption("done");
    await expect(submission).toHaveCount(0);
    await admin.close();
  });

  await test.step("its author sees the status", async () => {
    await openFeedback();
    await modal.getByRole("tab", { name: "Your feedback" }).click();
    const own = modal.getByRole("list", { name: "Your feedback" }).getByRole("listitem");
    await expect(own.first()).toContainText("In progress");
    await expect(own.first()).toContainText(description);
    await expect(own.first()).toContainText("sketch.txt");
  });
});
