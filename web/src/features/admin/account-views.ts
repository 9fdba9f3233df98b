import { localTime } from "#lib/local-time.ts";
import { type EntityView, plainText } from "./entity-kind.ts";

const timeText =
  (field: string) =>
  (entity: Record<string, unknown>): string => {
    const epochMs = entity[field];
    return typeof epochMs === "number" ? localTime(epochMs) : "";
  };

export const usersView: EntityView = {
  nameField: "username",
  hasGeneratedId: true,
  columns: [{ name: "username" }, { name: "email" }, { name: "firstName" }, { name: "lastName" }, { name: "groups" }, { name: "roles" }],
  disabledActions: ["import", "export"],
  template: {},
  form: "user",
  extras: ["security-events"],
  saveFailed: "User Save Failed",
};

export const groupsView: EntityView = {
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
