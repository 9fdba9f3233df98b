import { isJsonObject } from "@fairway/contract/json";
import { localTimeOrEmpty } from "#lib/time/local-time.ts";
import { type EntityView, plainText } from "../entities/entity-kind.ts";

const timeText =
  (field: string) =>
  (entity: Record<string, unknown>): string =>
    localTimeOrEmpty(entity[field]);

/** Names that administrators gave, then marked those by the claims of the OpenID Connect provider. */
const withProvider =
  (field: "groups" | "roles") =>
  ({ [field]: given, provider }: Record<string, unknown>): string => {
    const claimed = isJsonObject(provider) && Array.isArray(provider[field]) ? provider[field] : [];
    return [plainText(given), ...claimed.map((named) => `${plainText(named)} (provider)`)].filter(Boolean).join(", ");
  };

const providerText = ({ provider }: Record<string, unknown>): string => {
  if (!isJsonObject(provider)) return "";
  return provider["madeAccount"] === true ? "account created" : "linked";
};

export const usersView: EntityView = {
  nameField: "username",
  hasGeneratedId: true,
  columns: [
    { name: "username" },
    { name: "email" },
    { name: "firstName" },
    { name: "lastName" },
    { name: "groups", text: withProvider("groups") },
    { name: "roles", text: withProvider("roles") },
    { name: "provider", text: providerText, isHiddenIfEmpty: true },
  ],
  disabledActions: ["import", "export"],
  template: {},
  form: "user",
  extras: ["security-events", "provider-link"],
  saveFailed: "User Save Failed",
};

export const groupsView: EntityView = {
  purpose: "Groups give roles to many users at once.",
  nameField: "name",
  hasGeneratedId: true,
  columns: [{ name: "name" }, { name: "realmRoles" }],
  disabledActions: ["toggle", "export", "import"],
  template: {},
  form: "group",
  saveFailed: "Group Save Failed",
};

export const rolesView: EntityView = {
  nameField: "name",
  hasGeneratedId: true,
  columns: [{ name: "name" }],
  disabledActions: ["create", "edit", "copy", "import", "export", "toggle", "remove"],
  template: {},
};

export const noticesView: EntityView = {
  purpose: "Notices tell people about changes and outages when they sign in.",
  nameField: "title",
  hasGeneratedId: true,
  columns: [
    { name: "title" },
    { name: "severity" },
    { name: "roles", text: ({ roles }) => plainText(roles) || "everyone" },
    { name: "start", text: timeText("startMs") },
    { name: "end", text: timeText("endMs") },
    { name: "created", text: timeText("createdDateMs") },
  ],
  disabledActions: ["toggle"],
  template: {},
  form: "notice",
  saveFailed: "Notice Save Failed",
};
