import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../support/fixtures.ts";

test("[FILESET-35][FILESET-36] a user uploads a folder, finds its files in the listing, and replaces one of them after a question", async ({
  page,
  signIn,
}, { workerIndex }) => {
  const home = await mkdtemp(join(tmpdir(), "fairway-uploads-"));
  // Journeys share the fileset.
  const folder = `season ${workerIndex}-${Date.now()}`;
  await mkdir(join(home, folder, "maps"), { recursive: true });
  await writeFile(join(home, folder, "Katrina é.csv"), "time,wind\n1,64\n");
  await writeFile(join(home, folder, "maps/track.txt"), "a track");
  await signIn("editor");
  await page.goto("/filesets?fileset=public-data");
  const dialog = page.getByRole("dialog", { name: "Upload to public-data" });
  const rows = dialog.getByRole("list", { name: "Files" }).getByRole("listitem");
  const upload = () => page.getByRole("button", { name: "Upload", exact: true }).click();

  await test.step("a folder with a folder in it", async () => {
    await upload();
    await dialog.getByLabel("Folder to upload").setInputFiles(join(home, folder));
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: "Completed" })).toHaveCount(2);
    await expect(rows.first()).toContainText(`${folder}/`);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Contents" })).toContainText(folder);
  });

  await test.step("one file again", async () => {
    await page.goto(`/filesets?fileset=public-data&path=${encodeURIComponent(folder)}`);
    const contents = page.getByRole("region", { name: "Contents" });
    await expect(contents).toContainText("Katrina é.csv");
    await expect(contents).toContainText("maps");
    await upload();
    await writeFile(join(home, "Katrina e\u0301.csv"), "time,wind\n2,120\n");
    await dialog.getByLabel("Files to upload").setInputFiles(join(home, "Katrina e\u0301.csv"));
    await expect(dialog.getByRole("alert")).toHaveText("'Katrina é.csv' exists already.");
    const [stored] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === "PUT"),
      dialog.getByRole("button", { name: "Replace", exact: true }).click(),
    ]);
    expect(stored.status()).toBe(201);
    await expect(rows).toHaveText([/Completed/]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(contents).toContainText("16 bytes");
  });
  await rm(home, { recursive: true });
});
