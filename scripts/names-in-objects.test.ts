import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "oxc-parser";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const sources = ["contract", "expressions", "gateway", "web", "demo", "sdk"].flatMap((name) =>
  readdirSync(join(root, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("testing/"))
    .map((file) => join(name, "src", file)),
);

/** Objects that take names by assignment, none of which comes from data or from people. */
const ownNames: Readonly<Record<string, string>> = {
  "gateway/src/http/capability.ts": "capabilities of the portal",
  "gateway/src/config/config.ts": "limits of the portal",
  "gateway/src/database/migration-list.ts": "migrations of the portal",
  "gateway/src/flow-definitions/describe-change.ts": "categories of changes",
  "gateway/src/flow-definitions/read-xml-template.ts": "a fixed set of lists; all other objects there have no prototype",
  "gateway/src/http/openapi.ts": "addresses and schemas of the contract",
  "gateway/src/jolt/cardinality.ts": "the root of a copy, whose objects have no prototype",
  "gateway/src/config/secret-files.ts": "variables that the portal reads",
  "gateway/src/tracing/tracing-settings.ts": "headers that an operator configures for the portal's own calls",
  "web/src/features/search/map/model/map-items.ts": "problems of coordinates",
  "web/src/parts/file-preview/zip/zip-contents.ts": "two fields of an archive's entry",
};

/** The files that assign to a member with a computed name of an object that began as `{…}`, which calls the setter of `__proto__`. */
function filesThatAssignNames(files: readonly (readonly [name: string, text: string])[]): string[] {
  // Only some files assign to such a member at all, and parsing takes long.
  return files
    .filter(([, text]) => /[^\s[]\s*\]\s*(?:[-+*/%&|^]|\*\*|<<|>>>?|\?\?|\|\||&&)?=(?![=>])/.test(text))
    .flatMap(([name, text]) => {
      const { program, errors } = parseSync(name, text);
      if (errors.length > 0) throw new Error(`${name} cannot be parsed`);
      const objects = new Set<string>();
      const assigned = new Set<string>();
      const visitor = new Visitor({
        VariableDeclarator({ id, init }) {
          if (id.type !== "Identifier") return;
          const declared = id.typeAnnotation ? text.slice(id.typeAnnotation.start, id.typeAnnotation.end) : "";
          const isMade = init?.type === "ObjectExpression" || init?.type === "TSAsExpression" || init?.type === "TSSatisfiesExpression";
          const isPlain = isMade && /^\s*\{/.test(text.slice(init.start));
          if (isPlain || (/\bRecord</.test(declared) && !text.slice(init?.start, init?.end).startsWith("Object.create(null)")))
            objects.add(id.name);
        },
        AssignmentExpression({ left }) {
          if (left.type !== "MemberExpression" || !left.computed || left.property.type === "Literal") return;
          if (left.object.type === "Identifier") assigned.add(left.object.name);
        },
      });
      visitor.visit(program);
      return [...assigned].some((object) => objects.has(object)) ? [name] : [];
    });
}

const texts = sources.map((file) => [file, readFileSync(join(root, file), "utf8")] as const);

it("records of names are declared with recordOf, which keeps __proto__", () => {
  const declared = texts.filter(([file, text]) => file !== "contract/src/records.ts" && /\bz\s*\.record\(|ZodRecord\(/.test(text));
  expect(
    declared.map(([file]) => file),
    "Use recordOf of contract/src/records.ts instead of z.record.",
  ).toEqual([]);
});

it("objects do not take names by assignment, which loses __proto__", () => {
  const assigning = filesThatAssignNames(texts);
  const listed = Object.keys(ownNames);
  const advice = "Use a Map or Object.fromEntries. Only where no name comes from data or people, say in ownNames what the names are.";
  expect(assigning.filter((file) => !listed.includes(file)).toSorted(), advice).toEqual([]);
  expect(
    listed.filter((file) => !assigning.includes(file)),
    "Remove these from ownNames: they assign no names.",
  ).toEqual([]);
});

it.each([
  ["const rows = {}; rows[name] = 1;", true],
  ["const rows: Record<string, number> = {}; for (const name of names) rows[name] ??= 1;", true],
  ["const rows = { a: 1 } as Rows; rows[row.name] = 1;", true],
  ["const rows = Object.create(null); rows[name] = 1;", false],
  ["const rows: Record<string, number> = Object.create(null) as Rows; rows[name] = 1;", false],
  ["const rows = []; rows[index] = 1;", false],
  ['const rows = {}; rows["a"] = 1;', false],
  ["const rows = Object.fromEntries([[name, 1]]);", false],
])("finds such an assignment: %s", (text, isFound) => {
  expect(filesThatAssignNames([["a.ts", text]])).toEqual(isFound ? ["a.ts"] : []);
});
