import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { hostileFiles } from "../support/hostile-files.ts";

/** Upper bound on the time that the page takes to answer beside a preview, and to close it. On a machine of its own it takes a fraction. */
const answerMs = 15_000;

for (const [name, make] of Object.entries(hostileFiles)) {
  test(`the preview of ${name} can be closed, and runs nothing`, async ({ page, request, signIn, expectConsoleErrors }, {
    workerIndex,
  }) => {
    // Files that cannot be read or drawn are logged.
    expectConsoleErrors(/PDF file|preview/i);
    const folder = `hostile-${workerIndex}-${Date.now()}`;
    const { headers } = bearer(await tokenOf(request, "editor"));
    const address = await request.get("/api/filesets/public-data/upload", { headers, params: { file: `${folder}/${name}` } });
    const { uploadUrl } = (await address.json()) as { uploadUrl: string };
    expect((await request.put(uploadUrl, { data: make(), headers: { "content-type": "application/octet-stream" } })).ok()).toBe(true);
    const ran: string[] = [];
    page.on("request", (asked) => {
      if (asked.url().endsWith("/ran")) ran.push(asked.url());
    });
    page.on("dialog", (shown) => ran.push(shown.message()));

    await signIn("editor");
    await page.goto(`/filesets?fileset=public-data&path=${folder}&file=${name}`);
    const dialog = page.getByRole("dialog", { name });
    await expect(dialog).toBeVisible();
    const anyway = dialog.getByRole("button", { name: "Preview anyway" });
    if (!/\.(?:pdf|json|csv)$/.test(name)) await anyway.click();
    await expect(anyway).toHaveCount(0);
    const endMs = Date.now() + 5_000;
    while (Date.now() < endMs) {
      const startMs = Date.now();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(Date.now() - startMs).toBeLessThan(answerMs);
    }
    await dialog.getByRole("button", { name: "Close", exact: true }).click({ timeout: answerMs });
    await expect(dialog).toBeHidden();
    expect(ran).toEqual([]);
  });
}
