import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";

test("a large upload continues after a lost connection, and after a reload once its file is chosen again", async ({ page, signIn }, {
  workerIndex,
}) => {
  const home = await mkdtemp(join(tmpdir(), "fairway-uploads-"));
  const name = `large-${workerIndex}-${Date.now()}.bin`;
  // Four parts.
  const content = randomBytes(19_660_800);
  await writeFile(join(home, name), content);
  const sent: string[] = [];
  page.on("request", (request) => {
    const part = /\/parts\/(\d+)\?/.exec(request.url())?.[1];
    if (request.method() === "PUT" && part !== undefined) sent.push(part);
  });
  page.on("dialog", (question) => void question.accept());
  // Only of the contents: addresses of parts are asked for under the same path.
  const troubles = new Map<string, (route: Route) => Promise<void> | void>([
    ["2", (route) => route.abort("connectionreset")],
    ["3", () => undefined],
  ]);
  await page.route(/\/parts\/[23]\?/, async (route) => {
    const part = /\/parts\/(\d+)\?/.exec(route.request().url())?.[1] ?? "";
    const trouble = route.request().method() === "PUT" ? troubles.get(part) : undefined;
    if (trouble === undefined) return route.fallback();
    troubles.delete(part);
    return trouble(route);
  });
  await signIn("editor");
  const dialog = page.getByRole("dialog", { name: "Upload to public-data" });
  const row = dialog.getByRole("list", { name: "Files" }).getByRole("listitem");
  const choose = async () => {
    await page.goto("/filesets?fileset=public-data");
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await dialog.getByLabel("Files to upload").setInputFiles(join(home, name));
  };
  await choose();
  await expect.poll(() => sent).toEqual(["1", "2", "2", "3"]);
  await expect(row).toContainText("53%");
  await page.reload();
  await choose();
  await expect(row).toContainText("Completed");
  expect(sent).toEqual(["1", "2", "2", "3", "3", "4"]);
  const stored = await page.request.get(`/api/filesets/public-data/download?file=${name}`);
  expect((await stored.body()).equals(content)).toBe(true);
  await rm(home, { recursive: true });
});
