import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "docs/decisions");

const toRead = decisionsIn("");
const archived = decisionsIn("archive/");
const decisions = [...toRead, ...archived];
const numbers = new Set(decisions.map(({ number }) => number));

function decisionsIn(part: "" | "archive/") {
  return readdirSync(join(folder, part))
    .filter((file) => /^\d{4}-[a-z\d-]+\.md$/.test(file))
    .toSorted()
    .map((file) => {
      const [heading = "", , status = ""] = readFileSync(join(folder, part, file), "utf8").split("\n");
      return { file: part + file, number: file.slice(0, 4), heading, status };
    });
}

it("every decision has a number, a title and a status", () => {
  expect(decisions.length).toBeGreaterThan(80);
  expect(numbers.size).toBe(decisions.length);
  const wrong = decisions.filter(
    ({ number, heading, status }) =>
      !new RegExp(String.raw`^# ${number} [A-Z\d]`).test(heading) || !/^Status: (?:accepted|superseded by \d{4})$/.test(status),
  );
  expect(wrong, "A decision begins with `# NNNN Title`, an empty line and `Status: accepted`.").toEqual([]);
});

it("decisions are superseded only by existing decisions", () => {
  const successors = decisions.flatMap(({ status }) => /superseded by (\d{4})/.exec(status)?.[1] ?? []);
  expect(successors.filter((number) => !numbers.has(number))).toEqual([]);
});

// After adding a decision, run: npx vitest run scripts/decisions.test.ts --update
it("the index lists every decision with its title and status", async () => {
  const list = (listed: typeof decisions) =>
    listed.map(({ file, heading, status }) => `- [${heading.slice("# ".length)}](${file}): ${status.slice("Status: ".length)}\n`).join("");
  const index =
    "# Decisions\n\n" +
    "Design decisions and their reasons, half a page each: context, decision, consequences. A decision that no longer holds is not " +
    "changed but superseded: a new one replaces it, and the status of the old one names the new one. Code that depends on a decision " +
    "cites its number, which is looked up here. `npx vitest run scripts/decisions.test.ts --update` writes this list.\n\n" +
    `## To read first\n\nThese shape the whole. A new decision belongs here only if everyone who changes the code must know it.\n\n${list(toRead)}\n` +
    `## Archive\n\nThe others, for who changes what they are about.\n\n${list(archived)}`;
  await expect(index).toMatchFileSnapshot(join(folder, "README.md"));
});

it("comments refer only to existing decisions", () => {
  const sources = ["contract/src", "expressions/src", "gateway/src", "web/src", "demo/src", "scripts", "bench", "e2e"].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.includes("node_modules"))
      .map((file) => join(part, file)),
  );
  const named = sources.flatMap((file) =>
    Array.from(readFileSync(join(root, file), "utf8").matchAll(/\bdecision (\d{4})\b/gi), ([, number = ""]) => ({ file, number })),
  );
  expect(new Set(named.map(({ number }) => number)).size).toBeGreaterThanOrEqual(25);
  const missing = named.filter(({ number }) => !numbers.has(number));
  expect(missing, "Cite a decision of docs/decisions by its number.").toEqual([]);
});
