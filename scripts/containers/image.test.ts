import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkout } from "../lib/checkout.mjs";

it("the image takes the packages that npm puts below the workspaces of the server", async () => {
  const { packages } = JSON.parse(await readFile(join(checkout, "package-lock.json"), "utf8")) as { packages: object };
  const containerfile = await readFile(join(checkout, "Containerfile"), "utf8");
  const folders = new Set(Object.keys(packages).flatMap((path) => /^(?:contract|expressions|gateway)\/node_modules/.exec(path) ?? []));
  expect(folders.size).toBeGreaterThan(0);
  for (const folder of folders) expect(containerfile).toContain(`COPY --from=packages /opt/fairway/${folder} ${folder}\n`);
});
