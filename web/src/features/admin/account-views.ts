import { localTime } from "#lib/local-time.ts";
import { type EntityView, plainText } from "./entity-kind.ts";

const moment =
  (field: string) =>
  (entity: Record<string, unknown>): string => {
    const epochMs = entity[field];
    return typeof epochMs === "number" ? localTime(epochMs) : "";
  };

export const usersView: EntityView = {
  nameField: "username",
  givenId: true,
  columns: [{ name: "username" }, { name: "email" }, { name: "firstName" }, { name: "lastName" }, { name: "groups" }, { name: "roles" }],
  without: ["import", "export"],
  template: {},
  form: "user",
  extras: ["security-events"],
  saveFailed: "User Save Failed",
};

export const groupsView: EntityView = {
  nameField: "name",
  givenId: true,
  columns: [{ name: "name" }, { name: "realmRoles" }],
  without: ["toggle", "export", "import"],
  template: {},
  form: "group",
  saveFailed: "Group Save Failed",
};

export const rolesView: EntityView = {
  nameField: "name",
  givenId: true,
  columns: [{ name: "name" }],
  without: ["create", "edit", "copy", "import", "export", "toggle", "remove"],
  template: {},
};

export const noticesView: EntityView = {
  nameField: "title",
  givenId: true,
  columns: [
    { name: "title" },
    { name: "severity" },
    { name: "roles", text: ({ roles }) => plainText(roles) || "everyone" },
    { name: "start", text: moment("startMs") },
    { name: "end", text: moment("endMs") },
    { name: "created", text: moment("createdDateMs") },
  ],
  without: ["toggle"],
  template: {},
  form: "notice",
  saveFailed: "Notice Save Failed",
};
