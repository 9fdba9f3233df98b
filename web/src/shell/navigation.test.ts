import { IconSearch } from "@tabler/icons-react";
import { expect, it } from "vitest";
import { navigation, type NavigationGroup, offPanel, visibleNavigation } from "./navigation.ts";

const group = (id: string, ...entries: [role: string, screen: "UnifiedDatasets" | "SearchResults"][]): NavigationGroup => ({
  id,
  label: id,
  icon: IconSearch,
  entries: entries.map(([role, screen]) => ({ role, screen, label: screen, to: "/search", icon: IconSearch })),
});

const seen = (roles: string[], disabledLinks: string[] = []) =>
  visibleNavigation(
    [group("open", ["*", "UnifiedDatasets"], ["*", "SearchResults"]), group("closed", ["admin", "SearchResults"])],
    roles,
    disabledLinks,
    null,
  ).map(({ id, entries }) => [id, entries.length]);

it("[SHELL-33] hides a group of which nothing is allowed", () => {
  expect(seen([])).toEqual([["open", 2]]);
  expect(seen(["admin"])).toEqual([
    ["open", 2],
    ["closed", 1],
  ]);
});

it("[ROUTE-48] hides what the operator has disabled", () => {
  expect(seen(["admin"], ["SearchResults"])).toEqual([["open", 1]]);
});

it("[ACCESS-01] [ACCESS-03] shows Search with its Datasets to anyone signed in", () => {
  expect(visibleNavigation(navigation, [], [], null)[0]).toMatchObject({
    label: "Search",
    entries: [{ label: "Datasets", to: "/search" }],
  });
});

it("[SHELL-27] [SHELL-28] shows Manage CAC only where a card issuer is configured", () => {
  const cac = { clientId: "fairway", authUrl: "https://cards.example.org", scope: "", domain: "", pkce: true, nonce: true };
  const profile = (ui: Parameters<typeof visibleNavigation>[3]) =>
    visibleNavigation(navigation, [], [], ui)
      .find(({ id }) => id === "profile")
      ?.entries.map(({ label }) => label);
  expect(profile({ cac })).toEqual(["About", "API Keys", "Manage CAC", "Notices", "Update Password"]);
  for (const none of [null, { cac: null }]) expect(profile(none)).toEqual(["About", "API Keys", "Notices", "Update Password"]);
});

it("lists the screens of administrators by label, those of entity types among them", () => {
  expect(navigation.find(({ id }) => id === "power")?.entries.map(({ label, to }) => `${label} ${to}`)).toEqual([
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
  ]);
  expect(offPanel.flatMap(({ entries }) => entries).map(({ label, to }) => `${label} ${to}`)).toEqual([
    "Feedback /feedback-settings",
    "API Keys of all users /key-settings",
  ]);
});
