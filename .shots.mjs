import { chromium } from "playwright";
const base = "http://localhost:21401";
const out = "/tmp/wt/readers-pics"; import fs from "node:fs"; fs.mkdirSync(out, { recursive: true });
const login = async (u) => (await (await fetch(base + "/api/auth/login", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ username: u, password: "fairway-demo" }) })).json());
const browser = await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell'});
const code = (parts) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const link = (parts) => `/search/${crypto.randomUUID()}#1.${code(parts)}`;
const storms = { c: "Tropical weather", d: "storm-tracks" };
const pages = [
  ["form", "/search?category=Tropical+weather&dataset=storm-tracks"],
  ["formnone", "/search?category=Natural+hazards&dataset=earthquakes"],
  ["table", link({ ...storms, f: [["latitude", ">", 20]] })],
  ["map", link({ ...storms, v: "map", f: [["name", "=", "Katrina"]] })],
  ["catalog", "/data-catalog/Tropical%20weather/storm-tracks"],
];
const wanted = process.argv[2]?.split(",");
for (const [w, h] of [[1440, 900], [390, 844]]) for (const scheme of ["light", "dark"]) {
  const context = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme, hasTouch: w < 500 });
  const page = await context.newPage();
  await page.goto(base + "/");
  await page.getByLabel("Username").fill("viewer").catch(() => {});
  await page.getByLabel("Password", { exact: true }).fill("fairway-demo").catch(() => {});
  await page.keyboard.press("Enter");
  await page.waitForTimeout(2500);
  for (let i = 0; i < 3; i++) { await page.keyboard.press("Escape"); await page.waitForTimeout(150); }
  for (const [name, path] of pages) {
    if (wanted && !wanted.includes(name)) continue;
    await page.goto(base + path); await page.waitForTimeout(name === "map" ? 5000 : 2500);
    await page.keyboard.press("Escape");
    if (name === "table") { const chip = page.getByRole("button", { name: "Part of the rows" }).first(); await chip.scrollIntoViewIfNeeded().catch(() => {}); await chip.click().catch((e) => console.log(name, String(e).slice(0, 80))); await page.waitForTimeout(300); }
    await page.screenshot({ path: `${out}/${name}-${w}-${scheme}.png` });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (overflow) console.log("overflow", name, w);
  }
  await context.close();
}
await browser.close();
