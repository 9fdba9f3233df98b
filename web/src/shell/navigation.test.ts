import { IconSearch } from "@tabler/icons-react";
import { expect, it } from "vitest";
import { defaultPortalSettings } from "#lib/portal-settings.ts";
import type { NavigationContext, NavigationGroup, ScreenEntry } from "./navigation-entries.ts";
import { navigation, offPanel, visibleNavigation } from "./navigation.ts";

const context: NavigationContext = { roles: [], settings: defaultPortalSettings, ui: null, hasTutorials: false };

const group = (id: string, ...entries: [role: string, screen: "UnifiedDatasets" | "SearchResults"][]): NavigationGroup<ScreenEntry> => ({
  id,
  label: id,
  icon: IconSearch,
  entries: entries.map(([role, screen]) => ({ role, screen, label: screen, to: "/search", icon: IconSearch })),
});

const visible = (roles: string[], disabledLinks: string[] = []) =>
  visibleNavigation([group("open", ["*", "UnifiedDatasets"], ["*", "SearchResults"]), group("closed", ["admin", "SearchResults"])], {
    ...context,
    roles,
    settings: { ...defaultPortalSettings, disabledLinks },
  }).map(({ id, entries }) => [id, entries.length]);

it("[SHELL-33] hides a group without an allowed entry", () => {
  expect(visible([])).toEqual([["open", 2]]);
  expect(visible(["admin"])).toEqual([
    ["open", 2],
    ["closed", 1],
  ]);
});

it("[ROUTE-48] hides what the operator has disabled", () => {
  expect(visible(["admin"], ["SearchResults"])).toEqual([["open", 1]]);
});

it("[ACCESS-01] [ACCESS-03] shows Search with its Datasets to anyone signed in", () => {
  expect(visibleNavigation(navigation, context)[0]).toMatchObject({
    label: "Search",
    entries: expect.arrayContaining([expect.objectContaining({ label: "Datasets", to: "/search" })]),
  });
});

it("[SHELL-27] [SHELL-28] shows Manage CAC only where a card issuer is configured", () => {
  const cac = { clientId: "fairway", authUrl: "https://cards.example.org", scope: "", domain: "", pkce: true, nonce: true };
  const profile = (ui: NavigationContext["ui"]) =>
    visibleNavigation(navigation, { ...context, ui })
      .find(({ id }) => id === "profile")
      ?.entries.map(({ label }) => label);
  const others = ["About", "API Keys", "Notices", "Update Password"];
  expect(profile({ cac })).toEqual(expect.arrayContaining([...others, "Manage CAC"]));
  for (const none of [null, { cac: null }]) {
    expect(profile(none)).toEqual(expect.arrayContaining(others));
    expect(profile(none)).not.toContain("Manage CAC");
  }
});

it("lists the screens of administrators by label, those of entity types among them", () => {
  const labels = (group: NavigationGroup<ScreenEntry> | undefined) => group?.entries.map(({ label, to }) => `${label} ${to}`) ?? [];
  const power = labels(navigation.find(({ id }) => id === "power"));
  const specified = [
    "About /about",
    "Audit Logs /auditing",
    "Configuration /configuration-settings",
    "Docs /doc-settings",
    "Ecosystems /ecosysystem-settings",
    "External Datasets /external-dataset-settings",
    "Filesets /fileset-settings",
    "Flow Environments /flowenvironment-settings",
    "Flow Groups /flowgroup-settings",
    "Groups /group-settings",
    "Information Notices /notice-settings",
    "Internal Datasets /internal-dataset-settings",
    "Jolt Specifications /jolt-settings",
    "Roles /role-settings",
    "Torch Services /torch-service-settings",
    "Users /user-settings",
  ];
  expect(power.filter((entry) => specified.includes(entry))).toEqual(specified);
  expect(power).toEqual(power.toSorted((one, other) => one.localeCompare(other, "en")));
  expect(offPanel.flatMap(labels)).toEqual(expect.arrayContaining(["Feedback /feedback-settings", "API Keys of all users /key-settings"]));
});
