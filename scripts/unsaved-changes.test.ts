import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../web/src");
/** Fields in which people type what they would have to type again. */
const typesText = /<(?:TextInput|Textarea|NumberInput|PasswordInput|TextEditor|FilterValueInput|MentionField)\b/;

/** Dialogs whose typed text is not asked about, and why. */
const exempt: Readonly<Record<string, string>> = {
  "features/account/cac-confirm.tsx": "a password",
  "features/account/fresh-sign-in.tsx": "a password or a code",
  "features/account/keys-value.tsx": "read-only",
  "features/account/methods-authenticator.tsx": "a code that is valid for half a minute",
  "features/flows/changes/flow-drawing.tsx": "a search",
  "features/flows/request/status-dialog.tsx": "the comment is kept as a draft",
  "features/search/results/schema/schema-dialog.tsx": "a filter",
  "features/search/saved-searches/load-dialog.tsx": "a filter",
  "shell/palette/palette.tsx": "a search",
  "shell/sign-in-again.tsx": "a password",
  "ui/copy-failed-dialog.tsx": "read-only",
};

it("every dialog with text fields asks before it loses what was typed, or says why not", async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"));
  const dialogs = await Promise.all(files.map(async (file) => ({ file, text: await readFile(join(source, file), "utf8") })));
  const silent = dialogs.filter(
    ({ text }) => /<(?:Dialog|Modal|Modal\.Root)\b/.test(text) && typesText.test(text) && !/useUnsavedChanges|UnsavedChanges/.test(text),
  );
  expect(silent.map(({ file }) => file).filter((file) => !(file in exempt))).toEqual([]);
  expect(Object.keys(exempt).filter((file) => !files.includes(file))).toEqual([]);
});
