import { type ApiKey, type ApiKeyDraft, apiKeys } from "@fairway/contract/api-keys";
import { datasets } from "@fairway/contract/datasets";
import { ecosystems } from "@fairway/contract/ecosystems";
import { filesets } from "@fairway/contract/filesets";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText, expectToastFor } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { copied, press } from "#testing/keyboard.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const times = /\d\d-\d\d-\d{4}, \d{1,2}:\d\d:\d\d [ap]m/;
const value = `fwk_${"k".repeat(39)}x7Qa`;

const editor = (title: "Create Key" | "Edit Key" = "Create Key") => page.getByRole("dialog", { name: title });
const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });

function keyOf({ name, datasets: refs, filesetIds, ecosystemNames, expiresAtMs = null, mayAppend, roles }: ApiKeyDraft): ApiKey {
  const scope = { datasets: refs, filesets: filesetIds, ecosystems: ecosystemNames };
  const noScope = { datasets: [], filesets: [], ecosystems: [] };
  return {
    id: name,
    name,
    key: "fwk_…x7Qa",
    createdDateMs: 0,
    lastUsedMs: null,
    expiresAtMs,
    previousKeyEndsMs: null,
    ...scope,
    ...(mayAppend === true ? { mayAppend } : {}),
    ...(roles == null ? {} : { roles }),
    lost: noScope,
  };
}

/** A gateway that stores API keys, starting with the given ones. */
function serveKeys(stored: ApiKey[] = []): ApiKey[] {
  const find = (name: string): ApiKey => {
    const key = stored.find((key) => key.name === name);
    if (!key) throw new Refused("not-found", "There is no such key.");
    return key;
  };
  gateway.answer(apiKeys.list, () => stored);
  gateway.answer(apiKeys.create, ({ body }) => {
    stored.push(keyOf(body));
    return { ...keyOf(body), key: value };
  });
  gateway.answer(apiKeys.edit, ({ body }) => Object.assign(find(body.name), keyOf(body)));
  gateway.answer(apiKeys.remove, ({ params }) => {
    stored.splice(stored.indexOf(find(params.name)), 1);
    return undefined;
  });
  return stored;
}

const nightly = (name = "Nightly"): ApiKey => keyOf({ name, datasets: [storms], filesetIds: [], ecosystemNames: [] });

beforeEach(() => {
  serveDatasets(gateway);
  serveKeys();
});

const openNew = async () => {
  await openScreen("/keys");
  await page.getByRole("button", { name: "Create Key" }).click();
};
const nameField = () => editor().getByRole("textbox", { name: "Name" });
const save = () => editor().getByRole("button", { name: "Save" });
const shown = (name: string) => page.getByRole("dialog", { name: `Key of ${name}` });

describe("Create Key", () => {
  openOnce(openNew);

  it("[ROUTE-31][KEYS-04] opens the editor of keys on /keys", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "API Keys", includeHidden: true })).toBeInTheDocument();
    await expect.element(nameField()).toHaveFocus();
    await expect.element(editor().getByRole("checkbox", { name: "storm-tracks" })).toBeVisible();
    await expectAccessible({ within: ["[role=dialog]"] });
  });

  it("[KEYS-12][KEYS-14] saves only a key with a name and something that it may read", async () => {
    await expect.element(save()).toBeDisabled();
    await expect.element(save()).toHaveAccessibleDescription(/^Enter a name and choose at least one dataset or fileset\./);
    await setField(nameField(), "Nightly");
    await expect.element(save()).toBeDisabled();
    await expect.element(save()).toHaveAccessibleDescription(/^Choose at least one dataset or fileset\./);
    await editor().getByRole("checkbox", { name: "storm-tracks" }).click();
    await expect.element(save()).toBeEnabled();
    await setField(nameField(), "   ");
    await expect.element(save()).toBeDisabled();
  });
});

it("[KEYS-09][KEYS-25] a key is created for the chosen datasets, and a toast says so for 2 seconds", async () => {
  await openNew();
  await setField(nameField(), " Nightly ");
  await editor().getByRole("checkbox", { name: "storm-tracks" }).click();
  await editor().getByRole("checkbox", { name: "Natural hazards", exact: true }).click();
  vi.useFakeTimers();
  await save().click();
  await expectToastFor("API key created", 2000);
  vi.useRealTimers();
  expect(gateway.received(apiKeys.create).map(({ body }) => body)).toEqual([
    {
      name: "Nightly",
      datasets: [storms, { datasetCategory: "Natural hazards", datasetId: "earthquakes" }],
      filesetIds: [],
      ecosystemNames: [],
      expiresAtMs: null,
    },
  ]);
});

it("a new key may add files to the only dataset that it opens, if that is one of the user's own", async () => {
  const tracks = demoDatasets().find(({ description }) => description.datasetId === "storm-tracks");
  if (tracks === undefined) throw new Error("a demo dataset is missing");
  const { description } = tracks;
  const own = { ...tracks, description: { ...description, datasetId: "ships", category: { ...description.category, id: "~ada" } } };
  serveDatasets(gateway, [...demoDatasets(), own]);
  const choice = () => editor().getByRole("checkbox", { name: "May add files to this dataset" });
  const dataset = (name: string) => editor().getByRole("checkbox", { name, exact: true });
  await openNew();
  await setField(nameField(), "Feed");
  await dataset("airports").click();
  await expect.element(choice()).not.toBeInTheDocument();
  await dataset("ships").click();
  await expect.element(choice()).not.toBeInTheDocument();
  await dataset("airports").click();
  await expect.element(choice()).not.toBeChecked();
  await choice().click();
  await expect.element(choice()).toHaveAccessibleDescription(/add rows to the dataset, or replace them/);
  await expectAccessible({ within: ["[role=dialog]"] });
  await save().click();
  await shown("Feed").getByRole("button", { name: "Done" }).click();
  expect(gateway.received(apiKeys.create).at(-1)?.body).toMatchObject({
    datasets: [{ datasetCategory: "~ada", datasetId: "ships" }],
    mayAppend: true,
  });
  await expect.element(row("Feed")).toHaveTextContent("May add files");

  await row("Feed").getByRole("button", { name: "Edit Feed" }).click();
  const edit = editor("Edit Key");
  await expect.element(edit).toHaveTextContent("The key may add files to its dataset.");
  await expect.element(edit.getByRole("checkbox", { name: "May add files to this dataset" })).not.toBeInTheDocument();
});

it("a key can have fewer roles than its owner, which its row names, and get all of them again", async () => {
  await openScreen("/keys", { roles: ["pilot", "reader"] });
  await page.getByRole("button", { name: "Create Key" }).click();
  const which = (name: string) => editor().getByRole("radio", { name });
  await setField(nameField(), "Feed");
  await editor().getByRole("checkbox", { name: "airports", exact: true }).click();
  await expect.element(which("All of your roles, now and later")).toBeChecked();
  await which("Only some of your roles").click();
  const roles = editor().getByRole("group", { name: "Roles of the key" });
  await roles.getByRole("checkbox", { name: "pilot" }).click();
  await expectAccessible({ within: ["[role=dialog]"] });
  await save().click();
  await shown("Feed").getByRole("button", { name: "Done" }).click();
  await expect.element(row("Feed")).toHaveTextContent("Only role reader");
  await row("Feed").getByRole("button", { name: "Edit Feed" }).click();
  const edited = editor("Edit Key");
  await expect.element(edited.getByRole("checkbox", { name: "pilot" })).not.toBeChecked();
  await edited.getByRole("checkbox", { name: "reader" }).click();
  await expect.element(edited).toHaveTextContent("Without a role, the key opens only what everyone may use.");
  await edited.getByRole("radio", { name: "All of your roles, now and later" }).click();
  await edited.getByRole("button", { name: "Save" }).click();
  await expect.element(edited).not.toBeInTheDocument();
  expect(gateway.received(apiKeys.create).map(({ body }) => body.roles)).toEqual([["reader"]]);
  expect(gateway.received(apiKeys.edit).map(({ body }) => body.roles)).toEqual([null]);
});

it("[KEYS-01][KEYS-24] the value of a new key is copied, or shown to copy by hand, and the table then has the key without it", async () => {
  await openNew();
  await setField(nameField(), "Nightly");
  await editor().getByRole("checkbox", { name: "storm-tracks" }).click();
  await save().click();
  await expect.element(shown("Nightly").getByRole("textbox", { name: "API key" })).toHaveValue(value);
  const copy = shown("Nightly").getByRole("button", { name: "Copy Key", exact: true });
  await copy.click();
  await expect.element(page.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  expect(await copied()).toBe(value);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("refused", "NotAllowedError"));
  await copy.click();
  const refused = page.getByRole("dialog", { name: "Copy Failed" });
  await expect.element(refused.getByRole("textbox", { name: "Text to copy" })).toHaveValue(value);
  await press("Escape");
  await expect.element(refused).not.toBeInTheDocument();
  await expect.element(shown("Nightly")).toBeVisible();
  await shown("Nightly").getByRole("button", { name: "Done" }).click();
  await expect.element(row("Nightly")).toHaveTextContent("fwk_…x7Qa");
  await expect.element(page.getByText(value)).not.toBeInTheDocument();
});

it("[KEYS-23][API-05] keys that failed to load can be retried", async () => {
  serveKeys([nightly()]);
  gateway.refuse(apiKeys.list, "internal", "The gateway is starting.", { times: 1 });
  await openScreen("/keys");
  const failed = page.getByRole("alert").filter({ hasText: "Failed to load API Keys" });
  await expect.element(failed).toHaveTextContent("The gateway is starting.");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(row("Nightly")).toBeVisible();
});

it("[KEYS-15][KEYS-21] a name that another key has is refused, and a failed save shows an error and keeps the input", async () => {
  serveKeys([nightly()]);
  gateway.refuse(apiKeys.create, "internal", "The gateway is starting.", { times: 1 });
  await openNew();
  await editor().getByRole("checkbox", { name: "airports" }).click();
  await setField(nameField(), " NIGHTLY ");
  await expect.element(editor().getByText("An API key with this name already exists.")).toBeVisible();
  await expect.element(save()).toBeDisabled();
  await setField(nameField(), "Weekly");
  await save().click();
  await expect.element(editor().getByRole("alert")).toHaveTextContent("API Key Save Error");
  await expect.element(nameField()).toHaveValue("Weekly");
  await save().click();
  await expect.element(shown("Weekly")).toBeVisible();
});

const openEdit = async () => {
  serveKeys([nightly()]);
  await openScreen("/keys");
  await row("Nightly").getByRole("button", { name: "Edit Nightly" }).click();
};

it("[KEYS-05][KEYS-13] the action of a row edits its key, except for the name", async () => {
  await openEdit();
  await expect.element(editor("Edit Key").getByRole("textbox", { name: "Name" })).toHaveAttribute("readonly");
  await expect.element(editor("Edit Key").getByRole("checkbox", { name: "storm-tracks" })).toBeChecked();
});

it("[KEYS-10][KEYS-25] an edit is sent and said for 1.2 seconds, and a further one keeps the end", async () => {
  await openEdit();
  const edit = editor("Edit Key");
  await edit.getByRole("checkbox", { name: "airports" }).click();
  await edit.getByRole("combobox", { name: "Expires" }).click();
  await page.getByRole("option", { name: "In 30 days" }).click();
  const earliestEndMs = Date.now() + 30 * 86_400_000;
  vi.useFakeTimers();
  await edit.getByRole("button", { name: "Save" }).click();
  await expectToastFor("API key updated", 1200);
  vi.useRealTimers();
  expect(gateway.received(apiKeys.edit).map(({ body }) => body)).toEqual([
    {
      name: "Nightly",
      datasets: [storms, { datasetCategory: "Aviation", datasetId: "airports" }],
      filesetIds: [],
      ecosystemNames: [],
      expiresAtMs: expect.any(Number),
    },
  ]);
  const endMs = gateway.received(apiKeys.edit)[0]?.body.expiresAtMs ?? 0;
  expect(endMs).toBeGreaterThanOrEqual(earliestEndMs);
  expect(endMs).toBeLessThanOrEqual(Date.now() + 30 * 86_400_000);
  await expect.element(row("Nightly")).toHaveTextContent("2 datasets");

  await row("Nightly").getByRole("button", { name: "Edit Nightly" }).click();
  await edit.getByRole("checkbox", { name: "airports" }).click();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => gateway.received(apiKeys.edit).length).toBe(2);
  expect(gateway.received(apiKeys.edit)[1]?.body).not.toHaveProperty("expiresAtMs");
});

it("[KEYS-08] a key shows when it was created and used", async () => {
  serveKeys([nightly(), { ...nightly("Used"), lastUsedMs: 1_700_000_000_000 }]);
  await openScreen("/keys");
  await expectText(row("Nightly").getByRole("cell").nth(2), times);
  await expectText(row("Nightly").getByRole("cell").nth(3), "Never");
  await expectText(row("Used").getByRole("cell").nth(3), times);
});

const old = "Old 50% & done";
const openOld = async () => {
  serveKeys([nightly(old)]);
  await openScreen("/keys");
};
const remove = () =>
  row(old)
    .getByRole("button", { name: `Delete ${old}` })
    .click();
const confirmRemoval = () => page.getByRole("dialog", { name: "Delete API Key?" }).getByRole("button", { name: "Delete" }).click();

it("[KEYS-06][KEYS-22] the action of a row deletes its key after a question, and shows that it failed", async () => {
  await openOld();
  gateway.refuse(apiKeys.remove, "internal", "No.", { times: 1 });
  await remove();
  expect(gateway.received(apiKeys.remove)).toEqual([]);
  await confirmRemoval();
  await expect.element(page.getByRole("alert").filter({ hasText: "Delete Failed" })).toBeVisible();
  await expect.element(row(old)).toBeVisible();
});

it("[KEYS-11][KEYS-25] a deleted key is gone, and a toast says so for 1.2 seconds", async () => {
  await openOld();
  await remove();
  vi.useFakeTimers();
  await confirmRemoval();
  await expectToastFor("API key deleted", 1200);
  vi.useRealTimers();
  expect(gateway.received(apiKeys.remove).map(({ params }) => params.name)).toEqual([old]);
  await expect.element(page.getByText("No API keys yet")).toBeVisible();
});

it("[KEYS-02][KEYS-03] an example in Help that failed to load can be retried", async () => {
  serveKeys([nightly()]);
  gateway.refuse(datasets.describe, "internal", "It broke.", { times: 1 });
  await openScreen("/keys");
  await page.getByRole("button", { name: "Help", exact: true }).click();
  const help = page.getByRole("dialog", { name: "Using API Keys" });
  await expect.element(help.getByRole("alert")).toHaveTextContent("Failed to load the example");
  await help.getByRole("button", { name: "Retry" }).click();
  await expect.element(help).toHaveTextContent("export FAIRWAY_API_KEY='YOUR_KEY'");
  await expect.element(help).toHaveTextContent("Authorization: Bearer YOUR_KEY");
  await expect.element(help).toHaveTextContent("600 calls per minute");
  await expect.element(page.getByRole("region", { name: "cURL program" })).toBeVisible();
});

const serveFiles = () =>
  gateway.answer(filesets.list, [
    { id: "charts", description: "", allowsUploads: false },
    { id: "inbox", description: "", allowsUploads: true },
  ]);
const filesKey = (...filesetIds: string[]) => keyOf({ name: "Files", datasets: [], filesetIds, ecosystemNames: [] });

it("[KEYS-09][KEYS-16] filesets of the user are enough for a key", async () => {
  serveFiles();
  await openNew();
  const choice = editor().getByRole("group", { name: "Filesets" });
  await setField(nameField(), "Files");
  await choice.getByRole("checkbox", { name: "charts" }).click();
  await choice.getByRole("checkbox", { name: "inbox" }).click();
  await save().click();
  await shown("Files").getByRole("button", { name: "Done" }).click();
  expect(gateway.received(apiKeys.create).at(-1)?.body).toMatchObject({
    datasets: [],
    filesetIds: ["charts", "inbox"],
    ecosystemNames: [],
  });
  await expect.element(row("Files")).toHaveTextContent("2 filesets");
});

it("[KEYS-10] the filesets of a key can be changed", async () => {
  serveFiles();
  serveKeys([filesKey("charts", "inbox")]);
  await openScreen("/keys");
  await row("Files").getByRole("button", { name: "Edit Files" }).click();
  const charts = editor("Edit Key").getByRole("checkbox", { name: "charts" });
  await expect.element(charts).toBeChecked();
  await charts.click();
  await editor("Edit Key").getByRole("button", { name: "Save" }).click();
  await expect.element(row("Files")).toHaveTextContent("1 fileset");
  expect(gateway.received(apiKeys.edit).at(-1)?.body).toMatchObject({ datasets: [], filesetIds: ["inbox"] });
});

it("[KEYS-20] a key that lost a fileset shows a warning", async () => {
  serveKeys([{ ...filesKey("inbox"), lost: { datasets: [], filesets: ["inbox"], ecosystems: [] } }]);
  await openScreen("/keys");
  await expect.element(row("Files")).toHaveTextContent("Lost access: Fileset inbox");
});

it("[KEYS-17][KEYS-18] ecosystems of the user's roles can be selected if halo is available", async () => {
  gateway.answer(ecosystems.list, [{ name: "reef" }]);
  gateway.answer(settings.ui, { ...uiConfig, availableTorchServices: ["halo"] });
  await openNew();
  await setField(nameField(), "Reef");
  await editor().getByRole("group", { name: "Ecosystems" }).getByRole("checkbox", { name: "reef" }).click();
  await save().click();
  await shown("Reef").getByRole("button", { name: "Done" }).click();
  expect(gateway.received(apiKeys.create).at(-1)?.body).toMatchObject({
    name: "Reef",
    datasets: [],
    filesetIds: [],
    ecosystemNames: ["reef"],
  });
  await expect.element(row("Reef")).toHaveTextContent("1 ecosystem");
  await expect.element(row("Reef")).not.toHaveTextContent("Lost access");
});

it("[KEYS-19][KEYS-20] without halo there is no choice of ecosystems, and one that a key lost is shown and can be removed", async () => {
  gateway.answer(ecosystems.list, []);
  gateway.answer(settings.ui, { ...uiConfig, availableTorchServices: ["other"] });
  const key = keyOf({ name: "Reef", datasets: [], filesetIds: [], ecosystemNames: ["reef"] });
  serveKeys([{ ...key, lost: { datasets: [], filesets: [], ecosystems: ["reef"] } }]);
  await openScreen("/keys");
  await expect.element(row("Reef")).toHaveTextContent("Lost access: Ecosystem reef");
  await row("Reef").getByRole("button", { name: "Edit Reef" }).click();
  const edit = editor("Edit Key");
  await expect.element(edit.getByRole("group", { name: "Datasets", exact: true })).toBeVisible();
  await expect.element(edit.getByRole("group", { name: "Ecosystems" })).not.toBeInTheDocument();
  await expect.element(edit).toHaveTextContent("Lost access: Ecosystem reef");
  await edit.getByRole("button", { name: "Remove" }).click();
  await expect.element(edit.getByRole("button", { name: "Save" })).toBeDisabled();
  await edit.getByRole("checkbox", { name: "airports" }).click();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect.element(row("Reef")).toHaveTextContent("1 dataset");
  await expect.element(row("Reef")).not.toHaveTextContent("Lost access");
});

it("leads to Assistants, unless the operator has disabled that screen", async () => {
  await openScreen("/keys");
  const link = page.getByRole("main").getByRole("link", { name: "Assistants", exact: true });
  await expect.element(link).toHaveAttribute("href", "/assistants");
  gateway.answer(settings.portal, { ...defaultPortalSettings, disabledLinks: ["Assistants"] });
  await openScreen("/keys");
  await expect.element(page.getByRole("button", { name: "Help", exact: true })).toBeVisible();
  await expect.element(link).not.toBeInTheDocument();
});
