import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandRows, commandsOf, commandsPage, documentedCommands } from "./documents/commands.mjs";
import { commandsOfSteps } from "./documents/steps.mjs";
import { checkout } from "./lib/checkout.mjs";
import { nightPieces } from "./lib/night-pieces.mjs";

const rows = await commandRows();
const documented = await documentedCommands();
const { scripts } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8")) as { scripts: Record<string, string> };
const piecesOf = (runBy: string): string[] => (runBy === "–" ? [] : runBy.split(", "));

it("commands of a document are the lines of its blocks and what its sentences name", () => {
  const text = [
    "Run `npm run lint`, or `FAIRWAY_HOME=/tmp/x npm run",
    "fairway`; `npx …` and `--list` are no commands.",
    "",
    "```sh",
    "NAME=value",
    "npm start # opens the portal",
    "curl -H 'A: b' \\",
    "  https://example.org/#part",
    "```",
    "",
    "```json",
    "npm test",
    "```",
  ].join("\n");
  expect(commandsOf(text)).toEqual([
    "npm start",
    "curl -H 'A: b'    https://example.org/#part",
    "npm run lint",
    "FAIRWAY_HOME=/tmp/x npm run fairway",
  ]);
});

it("every command in the documents has a row that says what runs it, or why nothing does", () => {
  expect(documented.length).toBeGreaterThan(100);
  const listed = new Set(rows.map(({ command }) => command));
  const unlisted = documented.filter(({ command }) => !listed.has(command));
  expect(unlisted, `Add a row to ${commandsPage}, and a step to scripts/documents/steps.mjs if this machine can run it.`).toEqual([]);
});

it("every row is of a command that a document has, once", () => {
  const found = new Set(documented.map(({ command }) => command));
  expect(rows.map(({ command }) => command).filter((command) => !found.has(command))).toEqual([]);
  expect(rows.map(({ command }) => command)).toEqual([...new Set(rows.map(({ command }) => command))]);
});

it("every row without a piece of the night says why", () => {
  expect(rows.filter(({ runBy, how }) => runBy === "–" && !/^\S.{10,}\.$/.test(how))).toEqual([]);
});

it("every row names pieces of the night, which run this command", () => {
  const names = new Set(nightPieces.map(({ name }) => name));
  expect(rows.flatMap(({ runBy }) => piecesOf(runBy)).filter((name) => !names.has(name))).toEqual([]);
  const programsOf = (name: string) => nightPieces.filter((piece) => piece.name === name).map(({ command }) => command[1]);
  const wrong = rows.filter(({ command, runBy, how }) => {
    const [, script = ""] = /^npm run ([\w:]+)/.exec(command) ?? [];
    if (runBy === "–" || runBy === "documents" || how !== "") return false;
    return !piecesOf(runBy).some((name) => programsOf(name).some((program) => scripts[script] === `node ${program}`));
  });
  expect(wrong).toEqual([]);
});

it("the piece documents runs the commands that are left to it, and no others", () => {
  const asWritten = rows.filter(({ runBy, how }) => runBy === "documents" && how === "").map(({ command }) => command);
  expect(commandsOfSteps().toSorted()).toEqual(asWritten.toSorted());
});

it("every measurement that a document names by --only is a part of the benchmark", async () => {
  const files = (await readdir(join(checkout, "bench"))).filter((file) => file.endsWith(".mjs"));
  const texts = await Promise.all(files.map((file) => readFile(join(checkout, "bench", file), "utf8")));
  const parts = texts.flatMap((text) => Array.from(text.matchAll(/\bname: "(\w+)"/g), ([, part]) => part));
  // The programs write each of these as one with another.
  const known = new Set([...parts, "starts", "trinoSearches", "prestoSearches", "people50", "people200"]);
  const named = documented.flatMap(({ command }) => /^npm run bench -- --only=(\S+)$/.exec(command)?.[1]?.split(",") ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
