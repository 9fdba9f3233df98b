import type { UiConfig } from "@fairway/contract/settings";
import { IconSearch } from "#ui/icons/search.ts";
import { describe, expect, it } from "vitest";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import type { NavigationContext, NavigationGroup, ScreenEntry } from "./navigation-entries.ts";
import { navigation, offPanel, visibleNavigation } from "./navigation.ts";

const context: NavigationContext = { roles: [], settings: defaultPortalSettings, ui: null, hasTutorials: false, isFlowMember: false };

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
  const profile = (ui: { cac: UiConfig["cac"] } | null) =>
    visibleNavigation(navigation, { ...context, ui: ui && { ...ui, downloadableTools: [] } })
      .find(({ id }) => id === "profile")
      ?.entries.map(({ label }) => label);
  const others = ["About", "API Keys", "Notices", "Update Password"];
  expect(profile({ cac })).toEqual(expect.arrayContaining([...others, "Manage CAC"]));
  for (const none of [null, { cac: null }]) {
    expect(profile(none)).toEqual(expect.arrayContaining(others));
    expect(profile(none)).not.toContain("Manage CAC");
  }
});

describe("Tools", () => {
  const downloadableTools = [{ display: "Python Client", icon: { type: "fa-solid", name: "code" } }, { display: "Command line" }];
  const groups = (roles: string[], disabledLinks: string[] = []) => {
    const settings = { ...defaultPortalSettings, disabledLinks };
    return visibleNavigation(navigation, { ...context, roles, settings, ui: { cac: null, downloadableTools } });
  };
  const entries = () => groups([]).find(({ id }) => id === "tools")?.entries ?? [];

  it("[ACCESS-03] is open to any user, between Docs and Power", () => {
    expect(groups(["admin"]).map(({ label }) => label)).toEqual(["Search", "Docs", "Tools", "Power", "Profile"]);
    expect(groups([]).map(({ label }) => label)).toEqual(expect.arrayContaining(["Search", "Docs", "Tools"]));
    for (const link of ["Tools", "tools"]) expect(groups(["admin"], [link]).map(({ id }) => id)).not.toContain("tools");
  });

  it("[SHELL-20] [TOOLS-04] has one entry for each tool, with its display name and icon", () => {
    expect(entries()).toEqual(
      expect.arrayContaining([
        { tool: "commandline", label: "Command line", toolIcon: undefined, role: "*" },
        { tool: "pythonclient", label: "Python Client", toolIcon: { type: "fa-solid", name: "code" }, role: "*" },
      ]),
    );
    expect(entries()).toHaveLength(2);
  });

  it("[SHELL-21] is sorted by display name", () => {
    expect(entries().map((entry) => ("label" in entry ? entry.label : ""))).toEqual(["Command line", "Python Client"]);
  });
});

it("[ROUTE-43] [ROUTE-48] hides a disabled external page, and no other one", () => {
  const page = { displayName: "Wiki", role: "*", navBar: "docs" as const };
  const pages = (disabledLinks: string[]) => {
    const settings = {
      ...defaultPortalSettings,
      disabledLinks,
      externalPages: ["wiki", "status"].map((name) => Object.assign({ name }, page)),
    };
    const docs = visibleNavigation(navigation, { ...context, settings }).find(({ id }) => id === "docs");
    return docs?.entries.flatMap((entry) => ("page" in entry ? [entry.page] : []));
  };
  expect(pages([])).toEqual(["wiki", "status"]);
  for (const link of ["wiki", "external/wiki", "/external/wiki"]) expect(pages([link])).toEqual(["status"]);
  expect(pages(["ExternalView"])).toEqual([]);
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
  expect(offPanel.flatMap(labels)).toEqual(
    expect.arrayContaining([
      "Feedback /feedback-settings",
      "API Keys of all users /key-settings",
      "Alerts of all users /alert-settings",
      "Assistants /assistants",
    ]),
  );
});
