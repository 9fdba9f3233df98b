import { apiKeyAdministration } from "@fairway/contract/api-keys";
import { feedbackAdministration } from "@fairway/contract/feedback";
import { notices } from "@fairway/contract/notices";
import { platformMetadata } from "@fairway/contract/metadata";
import { settings } from "@fairway/contract/settings";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serveEvents } from "#testing/audit.ts";

/** Labels and addresses, in the specification's order of labels. */
const entries = [
  { label: "About", path: "/about" },
  { label: "Audit Logs", path: "/auditing" },
  ...Object.values(entityTypes).map(({ title, address }) => ({ label: title, path: address })),
].toSorted((one, other) => one.label.localeCompare(other.label, "en"));

/** Rows and route names by address. */
const names: readonly (readonly [requirement: string, path: string, name: string])[] = [
  ["[ROUTE-16]", "/internal-dataset-settings", "InternalDatasetSettings"],
  ["[ROUTE-17]", "/external-dataset-settings", "ExternalDatasetSettings"],
  ["[ROUTE-18]", "/fileset-settings", "FilesetSettings"],
  ["[ROUTE-19]", "/configuration-settings", "ConfigurationSettings"],
  ["[ROUTE-20]", "/doc-settings", "DocSettings"],
  ["[ROUTE-21]", "/flowgroup-settings", "FlowGroupSettings"],
  ["[ROUTE-22]", "/flowenvironment-settings", "FlowEnvironmentSettings"],
  ["[ROUTE-23]", "/jolt-settings", "JoltSpecificationSettings"],
  ["[ROUTE-29]", "/user-settings", "UserSettings"],
  ["[ROUTE-32]", "/notice-settings", "NoticeSettings"],
  ["[ROUTE-34]", "/role-settings", "RoleSettings"],
  ["[ROUTE-35]", "/group-settings", "GroupSettings"],
  ["[ROUTE-40]", "/torch-service-settings", "TorchServiceSettings"],
  ["[ROUTE-41]", "/ecosysystem-settings", "EcosystemSettings"],
];

const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const power = page.getByRole("navigation", { name: "Power" });

/** Navigates inside the application, without a page load. */
function navigateTo(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(notices.list, []);
});

function serveAdministration(): void {
  for (const type of Object.keys(entityTypes) as AdministeredType[]) serveEntities(type);
  gateway.answer(platformMetadata.read, { gateway: { version: "2.0.0" } });
  gateway.answer(torchServiceChecks.reachability, []);
  serveEvents([]);
  gateway.answer(feedbackAdministration.list, []);
  gateway.answer(apiKeyAdministration.list, []);
}

describe("the Power group", () => {
  openOnce(async () => {
    serveAdministration();
    await openScreen("/search", { roles: ["admin"] });
    await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Power" }).click();
  });

  const rows: Partial<Record<string, string>> = {
    "/user-settings": "[USERS-01] ",
    "/role-settings": "[ROLES-01] ",
    "/group-settings": "[GROUPS-01] ",
    "/notice-settings": "[NOTICEADM-01] ",
  };

  it("[SHELL-24] has its entries in order", async () => {
    await expectTexts(power.getByRole("link"), [
      "About",
      "Audit Logs",
      "Configuration",
      "Docs",
      "Ecosystems",
      "External Datasets",
      "Filesets",
      "Flow Environments",
      "Flow Groups",
      "Groups",
      "Information Notices",
      "Internal Datasets",
      "Jolt Specifications",
      "Roles",
      "Torch Services",
      "Users",
    ]);
  });

  for (const { label, path } of entries) {
    it(`${rows[path] ?? ""}opens ${label}`, async () => {
      const entry = power.getByRole("link", { name: label, exact: true });
      await entry.click();
      await expectAddress(path);
      await expect.element(heading(label)).toBeVisible();
      await expect.element(entry).toHaveAttribute("aria-current", "page");
    });
  }
});

describe("a user who is no administrator", () => {
  openOnce(async () => void (await openScreen("/search")));

  it("[ACCESS-06][SHELL-33] has no Power menu", async () => {
    await expect.element(page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Search" })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Power" })).not.toBeInTheDocument();
  });

  // No administrator call is prepared here, so each one would fail the test.
  for (const { path } of entries) {
    it(`${path === "/about" ? "[ABOUT-05]" : "[ADMIN-01]"} finds no screen at ${path}, and none of its data is requested`, async () => {
      navigateTo("/notices");
      await expect.element(heading("Notices")).toBeVisible();
      navigateTo(path);
      await expect.element(heading("Page does not exist")).toBeVisible();
    });
  }
});

it("[ADMIN-01] the address of an administrator's screen opens none for other users", async () => {
  await openScreen("/user-settings");
  await expect.element(heading("Page does not exist")).toBeVisible();
  await expectAccessible();
});

describe("screens disabled by name", () => {
  openOnce(async () => {
    serveAdministration();
    gateway.answer(settings.portal, {
      ...defaultPortalSettings,
      disabledLinks: [
        ...names.map(([, , name]) => name),
        ...Object.values(entityTypes).map(({ screen }) => screen),
        "UserProfile",
        "AllApiKeys",
        "AllAlerts",
        "Ownerless",
      ],
    });
    await openScreen("/about", { roles: ["admin"] });
  });

  it("[ROUTE-48] are hidden in the menu and the palette", async () => {
    await expectTexts(power.getByRole("link"), ["About", "Audit Logs"]);
    const rail = page.getByRole("navigation", { name: "Main" });
    await expect.element(rail.getByTitle("Ada Lovelace")).toBeVisible();
    await expectCount(rail.getByRole("link"), 1);
    await press("Control+k");
    await page.getByRole("combobox").fill("power");
    await expect.element(page.getByRole("option", { name: /^Audit Logs/ })).toBeVisible();
    await expect.element(page.getByRole("option", { name: /^Users/ })).not.toBeInTheDocument();
    await press("Escape");
  });

  for (const [requirement, path, name] of names) {
    it(`${requirement} ${path} is ${name}, which redirects to the datasets`, async () => {
      navigateTo("/about");
      await expect.element(heading("About")).toBeVisible();
      navigateTo(path);
      await expectAddress("/search");
    });
  }

  it("leave the others of their tabs", async () => {
    navigateTo("/feedback-settings");
    await expectTexts(page.getByRole("navigation", { name: "Users and feedback" }).getByRole("link"), ["Feedback"]);
  });

  it("[ROUTE-49] redirect to the datasets also when they are opened directly", async () => {
    await openScreen("/user-settings", { roles: ["admin"] });
    await expectAddress("/search");
  });
});
