import { docAdministration } from "@fairway/contract/docs";
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { chooseInRow, dialog, openAdmin, serveEntities } from "#testing/entities.ts";
import { FakeTransfer, fakeTransfers, transferOf } from "#testing/fake-transfers.ts";
import { chooseFile } from "#testing/files.ts";
import { gateway } from "#testing/open-screen.tsx";

afterEach(() => void vi.unstubAllGlobals());

it("an administrator uploads, replaces and deletes the files of a doc", async () => {
  serveEntities("docs", [{ id: "first", name: "First steps", category: "video/mp4", description: "" }]);
  gateway.answer(docAdministration.files, { files: [] }, { times: 1 });
  await openAdmin("/doc-settings", "Docs");
  await chooseInRow("first", "Files");
  await expect.element(dialog().getByText("Captions", { exact: true })).toBeVisible();
  await expectAccessible();

  fakeTransfers();
  await chooseFile(dialog().getByLabelText("Preview image file"), "card.svg", "<svg/>", "image/svg+xml");
  const refused = await transferOf("card.svg");
  expect(refused.url).toBe("PUT /api/admin/doc-files/first/preview");
  expect(refused.headers.get("authorization")).toMatch(/^Bearer /);
  refused.answer(415, { errors: [{ code: "unsupported-media-type", message: "A preview image is a PNG, JPEG, GIF or WebP file." }] });
  await expect.element(page.getByText("A preview image is a PNG, JPEG, GIF or WebP file.")).toBeVisible();

  await chooseFile(dialog().getByLabelText("Content file"), "first.mp4", "ftyp", "video/mp4");
  const sent = await transferOf("first.mp4");
  sent.progress(40);
  await expect.element(dialog().getByText("40%")).toBeVisible();
  gateway.answer(docAdministration.files, { files: [{ type: "object", size: 2_500_000, lastModified: "2026-01-02T03:04:05.000Z" }] });
  Object.assign(sent, { status: 204, responseText: "" });
  sent.dispatchEvent(new Event("load"));
  await expect.element(dialog().getByText(/^2\.5 MB, /)).toBeVisible();
  expect(FakeTransfer.sent).toHaveLength(2);

  gateway.answer(docAdministration.remove, undefined);
  await dialog().getByRole("button", { name: "Delete content" }).click();
  gateway.answer(docAdministration.files, { files: [] });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(dialog().getByRole("button", { name: "Upload content" })).toBeVisible();
  expect(gateway.received(docAdministration.remove)[0]?.params).toEqual({ docId: "first", type: "object" });
});
