import { type ApiKey, apiKeys } from "@fairway/contract/api-keys";
import { assistantAdministration, assistants } from "@fairway/contract/assistants";
import { cac } from "@fairway/contract/cac";
import { profile } from "@fairway/contract/profile";
import { signInMethods } from "@fairway/contract/second-factors";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { settings } from "@fairway/contract/settings";
import { page } from "vitest/browser";
import { cardIssuer } from "#testing/cards.ts";
import { gateway, uiConfig } from "#testing/open-screen.tsx";
import { button, type ScreenState, title, failing, loading } from "#testing/screen-state.ts";

const client = { browser: "Safari 17.5", operatingSystem: "iOS 17.5", device: "iPhone" };

function serveProfile(): void {
  gateway.answer(profile.read, {
    username: "ada",
    email: "ada@fairway.example",
    firstName: "Ada",
    lastName: "Lovelace",
    roles: ["a", "b", "c"],
  });
  gateway.answer(ownSessions.list, [
    { id: "here", isCurrent: true, client, ipAddress: "127.0.0.1", signedInMs: 0, lastUsedMs: 0 },
    { id: "there", isCurrent: false, client, ipAddress: "127.0.0.2", signedInMs: 0, lastUsedMs: 0 },
  ]);
  gateway.answer(ownSessions.signIns, [
    { id: "1", timeMs: 0, step: "password", succeeded: true, client, ipAddress: "127.0.0.1" },
    { id: "2", timeMs: 0, step: "password", succeeded: false, client, ipAddress: "127.0.0.2" },
  ]);
  gateway.answer(ownSecurityEvents.list, [{ id: "1", atMs: 0, kind: "email-changed", subject: null, by: "root" }]);
}

const nothing = { datasets: [], filesets: [], ecosystems: [] };
const key: ApiKey = {
  id: "Nightly",
  name: "Nightly",
  key: "fwk_…x7Qa",
  createdDateMs: 0,
  lastUsedMs: null,
  expiresAtMs: null,
  previousKeyEndsMs: null,
  ...nothing,
  filesets: ["charts"],
  lost: nothing,
};

const methods = (filled: boolean) => () =>
  gateway.answer(signInMethods.read, {
    authenticator: filled ? { addedMs: 0, lastUsedMs: null } : null,
    recoveryCodesLeft: filled ? 7 : 0,
    passkeys: filled ? [{ id: "p-1", name: "Work laptop", host: location.hostname, addedMs: 0, lastUsedMs: null }] : [],
    required: false,
  });

const card = (linked: boolean) => () => {
  gateway.answer(settings.ui, { ...uiConfig, cac: cardIssuer });
  gateway.answer(cac.status, { linked, linkedTimestamp: linked ? "2026-03-04T19:07:00Z" : null });
};

const tools = [{ name: "search_rows", title: "Search rows", description: "Rows of a dataset." }];

export const states: readonly ScreenState[] = [
  {
    name: "profile",
    answers: serveProfile,
    open: "/user-profile",
    shows: () => page.getByRole("table", { name: "Recent Sign-ins" }),
    phone: true,
  },
  failing("profile-failed", "/user-profile", profile.read, serveProfile),
  loading("profile-loading", "/user-profile", profile.read, title("Profile"), serveProfile),
  {
    name: "password",
    answers: () => gateway.answer(apiKeys.list, []),
    open: "/change-password",
    shows: () => page.getByRole("textbox", { name: "New password" }),
    phone: true,
  },
  {
    name: "sign-in-methods",
    answers: methods(true),
    open: "/sign-in-methods",
    shows: () => page.getByRole("list", { name: "Passkeys" }),
    phone: true,
  },
  { name: "sign-in-methods-none", answers: methods(false), open: "/sign-in-methods", shows: () => button("Add Passkey") },
  { name: "keys", answers: () => gateway.answer(apiKeys.list, [key]), open: "/keys", shows: () => button("Rotate Nightly"), phone: true },
  {
    name: "keys-that-end",
    answers: () =>
      gateway.answer(apiKeys.list, [
        { ...key, previousKeyEndsMs: 3_600_000, lastUsedMs: 0 },
        { ...key, id: "Old", name: "An old key with a name that is rather long for its column", expiresAtMs: 1 },
        { ...key, id: "Lost", name: "Lost", lost: { ...nothing, filesets: ["charts"] } },
      ]),
    open: "/keys",
    shows: () => button("Rotate Lost"),
    phone: true,
  },
  { name: "keys-none", answers: () => gateway.answer(apiKeys.list, []), open: "/keys", shows: title("API Keys") },
  {
    name: "keys-loading",
    answers: () => {
      gateway.answer(apiKeys.list, []);
      gateway.hold(apiKeys.list);
    },
    open: "/keys",
    shows: title("API Keys"),
  },
  failing("keys-failed", "/keys", apiKeys.list),
  { name: "card-linked", answers: card(true), open: "/manage-cac", shows: () => page.getByRole("region", { name: "CAC status" }) },
  { name: "card-not-linked", answers: card(false), open: "/manage-cac", shows: () => page.getByRole("region", { name: "CAC status" }) },
  {
    name: "assistants",
    answers: () => gateway.answer(assistants.about, { enabled: true, tools }),
    open: "/assistants",
    shows: title("Assistants"),
    phone: true,
  },
  {
    name: "assistants-of-all",
    answers: () => {
      gateway.answer(assistants.about, { enabled: true, tools });
      gateway.answer(assistantAdministration.uses, { enabled: true, uses: [] });
    },
    open: "/assistants",
    roles: ["admin"],
    shows: () => page.getByRole("switch", { name: "Allow assistants to use this portal" }),
  },
  {
    name: "assistants-in-use",
    answers: () => {
      gateway.answer(assistants.about, { enabled: true, tools });
      gateway.answer(assistantAdministration.uses, {
        enabled: true,
        uses: [
          {
            apiKeyId: "key-1",
            apiKeyName: "Notebook",
            owner: "ada",
            tools: [
              { name: "search_rows", calls: 1_200, refused: 3 },
              { name: "list_datasets", calls: 40, refused: 0 },
            ],
            lastDay: "2026-01-01",
          },
        ],
      });
    },
    open: "/assistants",
    roles: ["admin"],
    shows: () => page.getByRole("region", { name: "Assistant usage" }),
    phone: true,
  },
];
