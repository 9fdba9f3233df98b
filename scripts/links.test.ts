import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { checkout } from "./lib/checkout.mjs";

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```/gm, "");

/** The anchor that a page of Markdown has for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
    .replaceAll(" ", "-");

async function pages(): Promise<Map<string, string>> {
  const tops = (await readdir(checkout)).filter((file) => file.endsWith(".md"));
  const docs = (await readdir(join(checkout, "docs"), { recursive: true }))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`);
  const paths = [...tops, ...docs].map((file) => join(checkout, file));
  return new Map(await Promise.all(paths.map(async (path) => [path, withoutBlocks(await readFile(path, "utf8"))] as const)));
}

it("links between documents lead to files and headings that there are", async () => {
  const texts = await pages();
  const anchors = new Map(
    [...texts].map(([path, text]) => [path, new Set(Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => anchorOf(heading)))]),
  );
  const links = [...texts].flatMap(([page, text]) =>
    Array.from(text.replaceAll(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => ({ page, link })).filter(
      ({ link }) => !/^\w+:/.test(link),
    ),
  );
  expect(links.length).toBeGreaterThan(400);
  const broken = links.filter(({ page, link }) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? page : resolve(dirname(page), file);
    return !existsSync(target) || (anchor !== undefined && anchors.get(target)?.has(anchor) === false);
  });
  expect(broken).toEqual([]);
});
