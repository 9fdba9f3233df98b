import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const source = join(import.meta.dirname, "../web/src");
const read = (file: string): Promise<string> => readFile(join(source, file), "utf8");

/** Fields in which people type what they would have to type again. */
const typesText =
  /<(?:TextInput|Textarea|NumberInput|PasswordInput|TextEditor|FilterValueInput|MentionField|Input)\b|<input(?![^>]*type="(?:checkbox|radio|file|range)")/;
const asks = /useUnsavedChanges\(|<UnsavedChanges\b|useDialogForm[<(]|<FormDialog\b(?![^]*isTyped=\{\(\) => false\})/;
const hasMenu = /<(?:Menu|ButtonMenu|Popover)\b/;

/** Files with fields whose text is not asked about, and why. */
const exempt: Readonly<Record<string, string>> = {
  "features/account/cac/cac-confirm.tsx": "a password",
  "features/account/fresh-sign-in.tsx": "a password or a code",
  "features/account/api-keys/keys-value.tsx": "read-only",
  "features/account/sign-in-methods/methods-authenticator.tsx": "a code that is valid for half a minute",
  "features/admin/entities/entity-screen.tsx": "a filter",
  "features/admin/datasets/table-list.tsx": "a search",
  "features/auditing/audit-filters.tsx": "filters",
  "features/catalog/list/catalog-filters.tsx": "a filter",
  "features/catalog/list/catalog-header.tsx": "a search, in the address",
  "features/catalog/schema/schema-view.tsx": "a filter",
  "features/flows/changes/flow-changes.tsx": "a search",
  "features/flows/changes/flow-drawing.tsx": "a search",
  "features/flows/flow-search.tsx": "a search, in the address",
  "features/flows/request/comment-box.tsx": "kept as a draft",
  "features/flows/request/status-dialog.tsx": "kept as a draft",
  "features/help/faq-page.tsx": "a search",
  "features/search/map/item-panel.tsx": "a filter",
  "features/search/map/path-gap-field.tsx": "applied while it is typed",
  "features/search/map/path-layers-panel.tsx": "applied while it is typed",
  "features/search/map/playback/playback-options.tsx": "applied while it is typed",
  "features/search/map/frame/range-fields.tsx": "applied while it is typed",
  "features/search/results/find-box.tsx": "a search",
  "features/search/results/schema/schema-dialog.tsx": "a filter",
  "features/search/results/table/column-editor.tsx": "a filter",
  "features/search/saved-searches/load-dialog.tsx": "a filter",
  "features/sign-in/fields.tsx": "a username, a password or a code",
  "features/sign-in/password-update.tsx": "a password",
  "parts/dataset-form/columns-section.tsx": "a filter",
  "parts/dataset-picker/dataset-picker.tsx": "a search",
  "parts/dataset-picker/multi-picker.tsx": "a search",
  "parts/file-browser/browser-tools.tsx": "a filter",
  "parts/file-preview/pdf/pdf-pager.tsx": "a page",
  "parts/file-preview/pdf/pdf-view.tsx": "a password",
  "parts/filters/filter-bar.tsx": "one filter, which the search form adds when the field is left",
  "parts/sharing/share-box.tsx": "a search",
  "shell/palette/palette.tsx": "a search",
  "ui/dialog/copy-failed-dialog.tsx": "read-only",
  "ui/find-box.tsx": "a search",
  "features/search/summaries/conditions-field.tsx": "kept as it is typed",
  "features/search/summaries/editor-compare.tsx": "kept as it is typed",
  "features/search/summaries/editor-conditions.tsx": "kept as it is typed",
  "features/search/summaries/editor-grouping.tsx": "kept as it is typed",
  "features/search/summaries/editor-groups.tsx": "kept as it is typed",
  "features/search/summaries/group-table.tsx": "a search",
  "features/search/summaries/summary-editor.tsx": "kept as it is typed",
};

/** Fields that are parts of forms, by the file that asks for them. */
const partOf: Readonly<Record<string, readonly string[]>> = {
  "features/search/alerts/figure-fields.tsx": ["features/search/alerts/alert-dialog.tsx"],
  "features/admin/access/columns-tab.tsx": ["features/admin/access/access-form.tsx"],
  "features/admin/access/filter-fields.tsx": ["features/admin/access/access-form.tsx"],
  "features/admin/access/grant-fields.tsx": ["features/admin/access/access-form.tsx"],
  "features/admin/access/rule-card.tsx": ["features/admin/access/access-form.tsx"],
  "features/admin/editor/editor-tree.tsx": ["features/admin/editor/editor-dialog.tsx"],
  "features/admin/accounts/group-form.tsx": ["features/admin/editor/form-dialog.tsx"],
  "features/admin/editor/notice-form.tsx": ["features/admin/editor/form-dialog.tsx"],
  "features/admin/accounts/user-form.tsx": ["features/admin/editor/form-dialog.tsx"],
  "parts/dataset-form/column-table.tsx": ["parts/dataset-form/use-form-state.ts"],
  "parts/dataset-form/computed-section.tsx": ["parts/dataset-form/use-form-state.ts"],
  "parts/dataset-form/first-look-fields.tsx": ["parts/dataset-form/use-form-state.ts"],
  "parts/dataset-form/form-fields.tsx": ["parts/dataset-form/use-form-state.ts"],
  "parts/dataset-form/selected-columns.tsx": ["parts/dataset-form/use-form-state.ts"],
  "parts/lookup/picked-columns.tsx": ["parts/lookup/lookup-dialog.tsx", "parts/dataset-form/use-form-state.ts"],
  "parts/reading/delimiter-fields.tsx": [
    "features/admin/reading/reading-dialog.tsx",
    "features/admin/datasets/new-from-data-dialog.tsx",
    "features/add-data/import-screen.tsx",
    "parts/dataset-form/use-form-state.ts",
  ],
  "features/catalog/descriptions/description-field.tsx": ["features/catalog/schema/schema-page.tsx"],
  "features/flows/deploy/credentials-fields.tsx": ["features/flows/deploy/deploy-form.tsx"],
  "features/flows/reason-field.tsx": ["features/flows/request/new-iteration-dialog.tsx", "features/flows/requests/new-request-dialog.tsx"],
  "features/search/graphs/editor-columns.tsx": ["features/search/graphs/graphs-panel.ts"],
  "features/search/graphs/editor-groups.tsx": ["features/search/graphs/graphs-panel.ts"],
  "features/search/graphs/graph-editor.tsx": ["features/search/graphs/graphs-panel.ts"],
  "parts/filters/filter-value-input.tsx": ["parts/filters/filter-dialog.tsx"],
  "parts/filters/filter-field.tsx": ["parts/filters/filter-dialog.tsx"],
  "parts/filters/further-fields.tsx": ["parts/filters/filter-dialog.tsx"],
  "parts/filters/local-time-input.tsx": ["features/catalog/schema/announce-dialog.tsx", "features/admin/editor/form-dialog.tsx"],
  "features/add-data/name-fields.tsx": ["features/add-data/import-screen.tsx"],
  "parts/filters/time-last-fields.tsx": ["parts/filters/time-range-dialog.tsx"],
  "parts/filters/time-value-input.tsx": ["parts/filters/filter-dialog.tsx"],
};

/** Files that ask, but whose test is not the sweep of `testing/editors.ts`, and that test. */
const testedElsewhere: Readonly<Record<string, string>> = {
  "features/admin/access/access-form.tsx": "features/admin/access/access-dialog.test.tsx",
  "features/admin/accounts/delete-user-dialog.tsx": "features/admin/accounts/delete-user-dialog.test.tsx",
  "features/admin/accounts/delete-users-dialog.tsx": "features/admin/accounts/delete-user-dialog.test.tsx",
  "features/admin/accounts/ownerless-page.tsx": "features/admin/accounts/ownerless-page.test.tsx",
  "features/admin/datasets/new-from-data-dialog.tsx": "features/admin/reading/reading.night.test.tsx",
  "features/admin/reading/reading-dialog.tsx": "features/admin/reading/reading.night.test.tsx",
  "features/add-data/column-dialog.tsx": "features/add-data/add-data.test.tsx",
  "features/add-data/import-screen.tsx": "features/add-data/add-data.test.tsx",
  "parts/sharing/give-dialog.tsx": "features/catalog/own-data/own-data.test.tsx",
  "parts/sharing/share-dialog.tsx": "features/catalog/own-data/own-data.night.test.tsx",
  "features/search/boards/board-screen.tsx": "features/search/boards/board.night.test.tsx",
  "features/search/graphs/graph-templates.tsx": "features/search/graphs/graph-templates.night.test.tsx",
  "features/search/graphs/graphs-panel.ts": "features/search/graphs/graph-leaving.night.test.tsx",
  "parts/filters/alternatives-form.tsx": "parts/filters/further-filters.night.test.tsx",
  "features/admin/dataset-form/dataset-json-dialog.tsx": "features/admin/dataset-form/admin-dataset-form.test.tsx",
  "parts/dataset-form/use-form-state.ts": "features/admin/dataset-form/admin-dataset-form.test.tsx",
  "parts/formula/add-column-dialog.tsx": "parts/formula/add-column-dialog.test.tsx",
  "parts/lookup/lookup-dialog.tsx": "features/search/results/lookups.night.test.tsx",
  "parts/file-upload/upload-dialog.tsx": "features/files/filesets-page.night.test.tsx",
};

/** Menus and popovers that the sweep of `testing/menus.ts` leaves out, and why. */
const otherMenus: Readonly<Record<string, string>> = {
  "features/search/boards/panels/panel-menu.tsx": "the same button and menu as graph-menu.tsx",
  "features/search/map/playback/playback-options.tsx": "closed by Escape in playback.night.test.tsx",
  "features/search/map/rows/rows-export-menu.tsx": "the same button and menu as export-menu.tsx",
  "features/search/map/frame/scale-options.tsx": "closed by Escape in scale-legend.test.tsx",
  "features/search/summaries/group-menu.tsx": "closed by Escape in summaries.night.test.tsx",
  "features/search/summaries/summary-menu.tsx": "the same button and menu as graph-menu.tsx",
  "parts/filters/calendar-popover.tsx": "the same popover as mark-options.tsx, loaded as other menus",
  "parts/filters/filter-bar.tsx": "suggestions: the field keeps the focus",
  "parts/filters/value-suggestions.tsx": "suggestions: the field keeps the focus",
  "ui/menu-of-button.tsx": "the menu of other files",
};

/** Signs of a part that opens over or beside the content: a dialog, a drawer, a panel. */
const isOverlay =
  /import \{ Dialog \} from "(?:#ui\/dialog|\.)\/dialog\.tsx"|\buseDialog\(|<FormDialog\b|<DetailPanel\b|\buseFocusReturn\(|role="dialog"/;

/** Overlays that neither sweep opens, and why, or the test that checks where the focus goes. */
const otherOverlays: Readonly<Record<string, string>> = {
  "features/account/cac/cac-confirm.tsx": "opened by the return from the card's issuer, not by a button",
  "features/account/fresh-sign-in.tsx": "opened by the answer to another change",
  "features/account/api-keys/keys-value.tsx": "opened by a saved key; it closes by its own button only",
  "features/account/sign-in-methods/methods-recovery-codes.tsx": "opened by a confirmed method; it closes by its own button only",
  "features/admin/access/access-dialog.tsx": "asks; features/admin/access/access-dialog.test.tsx",
  "features/admin/accounts/delete-user-dialog.tsx": "asks; features/admin/accounts/delete-user-dialog.test.tsx",
  "features/admin/accounts/delete-users-dialog.tsx": "asks; features/admin/accounts/delete-user-dialog.test.tsx",
  "features/admin/accounts/ownerless-page.tsx": "asks; features/admin/accounts/ownerless-page.test.tsx",
  "features/admin/dataset-form/dataset-json-dialog.tsx": "asks; features/admin/dataset-form/admin-dataset-form.test.tsx",
  "features/admin/editor/load-entity.tsx": "stands in for the dialog that is being loaded",
  "features/admin/reading/reading-dialog.tsx": "asks; features/admin/reading/reading.test.tsx",
  "features/feedback/feedback-dialog.tsx": "the dialog of feedback-form.tsx",
  "features/flows/deploy/deploy-dialog.tsx": "the dialog of deploy-form.tsx",
  "features/notices/new-notices-dialog.tsx": "opened by new notices, not by a button",
  "features/search/boards/board-conflict-dialog.tsx": "opened by the answer to a save; features/search/boards/board.test.tsx",
  "features/search/ask-about-cell.tsx": "asks before another dialog opens; features/search/results/map-cell.test.tsx",
  "features/search/map/rows/rows-list-pane.tsx": "the same sheet as item-list-pane.tsx",
  "features/search/dataset-groups/failure-dialog.tsx": "opened by a failure",
  "parts/formula/add-column-dialog.tsx": "asks; parts/formula/add-column-dialog.test.tsx",
  "parts/lookup/lookup-dialog.tsx": "asks; features/search/results/lookups.night.test.tsx",
  "parts/file-upload/upload-dialog.tsx": "asks; features/files/filesets-page.test.tsx",
  "parts/filters/calendar-popover.tsx": "a popover",
  "shell/session/sign-in-again.tsx": "opened by the session; shell/session-renewal.test.tsx",
  "shell/tour/tour.tsx": "a tour, which leads through the screen",
  "ui/kit/form-dialog.tsx": "the dialog of other files",
  "ui/modal-dialog.tsx": "the dialog of other files",
  "ui/dialog/open-dialogs.ts": "what dialogs have in common",
  "ui/dialog/use-focus-return.ts": "what panels have in common",
};

async function sources(): Promise<{ file: string; text: string }[]> {
  const files = (await readdir(source, { recursive: true })).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  const own = files.filter((file) => !file.startsWith("testing/"));
  return Promise.all(own.map(async (file) => ({ file, text: await read(file) })));
}

/** The files that a table of a sweep names. */
const namedIn = async (table: string): Promise<string[]> =>
  Array.from((await read(table)).matchAll(/file: "([^"]+)"/g), ([, file = ""]) => file);

/** Advice on a file that a table names in vain. */
const outdated = "These files are gone or have no such part any more: remove them from";

const difference = (left: readonly string[], right: readonly string[]): string[] => left.filter((one) => !right.includes(one)).toSorted();

describe("typed text", () => {
  it("is asked about in every file with text fields, or it is said why not", async () => {
    const all = await sources();
    const silent = all.filter(({ text }) => typesText.test(text) && !asks.test(text)).map(({ file }) => file);
    const explained = [...Object.keys(exempt), ...Object.keys(partOf)];
    const advice = "Call useUnsavedChanges, or say in exempt why nothing is lost, or in partOf which form asks for the field.";
    expect(difference(silent, explained), advice).toEqual([]);
    expect(difference(explained, silent), `${outdated} exempt or partOf.`).toEqual([]);
    const asking = all.filter(({ text }) => asks.test(text)).map(({ file }) => file);
    expect(difference(Object.values(partOf).flat(), asking), "partOf names forms that do not call useUnsavedChanges.").toEqual([]);
  });

  it("is asked about in a browser: every file that asks is in the sweep, or its own test is named", async () => {
    const asking = (await sources())
      .filter(({ file, text }) => asks.test(text) && file !== "ui/dialog/unsaved-changes.tsx" && !file.startsWith("ui/kit/"))
      .map(({ file }) => file);
    const swept = [...(await namedIn("testing/editors.ts")), ...Object.keys(testedElsewhere)];
    expect(difference(asking, swept), "Add how the form is opened to web/src/testing/editors.ts.").toEqual([]);
    expect(difference(swept, asking), `${outdated} testing/editors.ts or testedElsewhere.`).toEqual([]);
    for (const test of Object.values(testedElsewhere))
      expect(await read(test)).toMatch(/Discard your changes\?|Stop Uploads|expect(?:KeptEditing|Question)\(/);
  });
});

it("every menu and popover is in the sweep that presses Escape, or it is said why not", async () => {
  const menus = (await sources()).filter(({ text }) => hasMenu.test(text)).map(({ file }) => file);
  const swept = await namedIn("testing/menus.ts");
  const known = [...swept, ...Object.keys(otherMenus)];
  expect(difference(menus, known), "Add how the menu is opened to web/src/testing/menus.ts.").toEqual([]);
  expect(difference(known, [...menus, "shell/frame/more-menu.tsx"]), `${outdated} testing/menus.ts or otherMenus.`).toEqual([]);
});

it("every dialog, drawer and panel is in a sweep that looks where the focus goes, or it is said why not", async () => {
  const overlays = (await sources()).filter(({ text }) => isOverlay.test(text)).map(({ file }) => file);
  const swept = [...(await namedIn("testing/overlays.ts")), ...(await namedIn("testing/editors.ts")), ...Object.keys(otherOverlays)];
  expect(
    difference(overlays, swept),
    "Add how it is opened to web/src/testing/overlays.ts, or, if it is a form, to editors.ts beside it.",
  ).toEqual([]);
  // Of the table of editors, some files are forms in the dialog of another file.
  const listed = [...(await namedIn("testing/overlays.ts")), ...Object.keys(otherOverlays)];
  const files = (await sources()).map(({ file }) => file);
  expect(difference(listed, files), `${outdated} testing/overlays.ts or otherOverlays.`).toEqual([]);
  expect(difference(Object.keys(otherOverlays), overlays), `${outdated} otherOverlays.`).toEqual([]);
});

it("no form that keeps what is typed has a field for a secret", async () => {
  const keeping = (await sources()).filter(({ text }) => /useKeptDraft\(|draft: \{|draft=\{\{/.test(text) && asks.test(text));
  expect(keeping.length).toBeGreaterThan(5);
  expect(
    keeping.filter(({ text }) => /PasswordInput|type="password"|new-password|current-password/.test(text)).map(({ file }) => file),
    "Do not keep a draft of this form: drafts are stored in the browser.",
  ).toEqual([]);
});
