import { fileURLToPath } from "node:url";
import { demoPassword } from "@fairway/contract/api";
import type { DocEntry } from "@fairway/contract/docs";
import type { FilesetEntry, FilesetListing } from "@fairway/contract/filesets";
import { expect, test } from "../support/fixtures.ts";
import { signInByCall } from "../support/own-account.ts";

test("The demo's filesets, FAQ and tutorials are readable by every user", async ({ request }) => {
  const { access_token: token } = await signInByCall(request, { username: "viewer", password: demoPassword });
  const headers = { authorization: `Bearer ${token}` };
  const get = async <Body>(path: string, params: Record<string, string> = {}) => {
    const answer = await request.get(`/api${path}`, { headers, params });
    expect(answer.status(), path).toBe(200);
    return (await answer.json()) as Body;
  };

  await test.step("filesets without the help, one of them with uploads", async () => {
    const listed = await get<FilesetEntry[]>("/filesets");
    const uploads = Object.fromEntries(listed.map(({ id, allowsUploads }) => [id, allowsUploads]));
    expect(uploads).toMatchObject({ "flight-archive": false, "public-data": true, "storm-archive": false });
    expect(uploads).not.toHaveProperty("help");
  });

  await test.step("one folder of two pages", async () => {
    const first = await get<FilesetListing>("/filesets/flight-archive/list");
    const second = await get<FilesetListing>("/filesets/flight-archive/list", { continuationToken: first.nextContinuationToken ?? "" });
    expect([first.files.length, second.files.length, second.nextContinuationToken]).toEqual([1_000, 338, null]);
  });

  await test.step("the file that a row of storm-tracks names, with its tags", async () => {
    const answer = await request.post("/api/datasets/Tropical%20weather/storm-tracks/search", {
      headers,
      data: { filters: [{ name: "storm_id", operator: "=", value: "2005-06" }], paging: { offset: 0, max: 1 } },
    });
    const { results } = (await answer.json()) as { results: { fileset: string; track_path: string }[] };
    const [row] = results;
    const file = row?.track_path ?? "";
    expect(await get(`/filesets/${row?.fileset}/tags`, { file })).toEqual({
      tags: { year: "2005", basin: "North Atlantic", "max-category": "5", storm: "Katrina" },
    });
    const download = await request.get(`/api/filesets/${row?.fileset}/download`, { headers, params: { file } });
    expect(await download.text()).toMatch(/^storm_id,name,time,.*\n2005-06,Katrina,2005-08-23T18:00:00Z,/);
  });

  await test.step("the FAQ, with characters beyond ASCII", async () => {
    const faq = await get<{ question: string; answer: string | string[] }[]>("/filesets/help/download", { file: "faq.json" });
    expect(faq.length).toBeGreaterThan(15);
    expect(JSON.stringify(faq)).toContain("北大西洋");
  });

  await test.step("tutorials, read by range, and their captions", async () => {
    const tutorials = (await get<DocEntry[]>("/docs")).filter(({ id }) => ["find-a-storm", "keep-and-export"].includes(id));
    expect(tutorials).toHaveLength(2);
    for (const { id, category, hasContent, hasPreview, hasCaptions } of tutorials) {
      expect({ category, hasContent, hasPreview, hasCaptions }).toEqual({
        category: "video/mp4",
        hasContent: true,
        hasPreview: true,
        hasCaptions: true,
      });
      const { url } = await get<{ url: string }>(`/docs/${id}/object/s3Url`);
      const start = await request.get(url, { headers: { range: "bytes=0-15" } });
      expect([start.status(), start.headers()["content-type"], (await start.body()).subarray(4, 8).toString()]).toEqual([
        206,
        "video/mp4",
        "ftyp",
      ]);
    }
  });
});

test("A scanned page in JPEG 2000 is drawn under the portal's own Content-Security-Policy", async ({ page, signIn }, { workerIndex }) => {
  const folder = `scans ${workerIndex}-${Date.now()}`;
  const scan = fileURLToPath(new URL("../../web/src/testing/jpeg2000.pdf", import.meta.url));
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  await signIn("editor");
  await page.goto(`/filesets?fileset=public-data&path=${encodeURIComponent(folder)}`);
  await page.getByRole("button", { name: "Upload", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: /^Upload to / });
  await dialog.getByLabel("Files to upload").setInputFiles(scan);
  await expect(dialog.getByRole("list", { name: "Files" })).toContainText("Completed");
  await page.goto(`/filesets?fileset=public-data&path=${encodeURIComponent(folder)}&file=jpeg2000.pdf`);
  const picture = page.getByRole("group", { name: "Page 1" }).locator("canvas");
  await expect(picture).toBeVisible();
  // A red rectangle with white letters; the page is white without it.
  const redShare = () =>
    picture.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      let red = 0;
      for (let at = 0; at < data.length; at += 4)
        red += Number((data[at] ?? 0) > 150 && (data[at + 1] ?? 255) < 100 && (data[at + 2] ?? 255) < 100);
      return red / (canvas.width * canvas.height);
    });
  await expect.poll(redShare).toBeGreaterThan(0.1);
  await expect(page.getByText("can't be shown")).toHaveCount(0);
  expect(refused).toEqual([]);
});
