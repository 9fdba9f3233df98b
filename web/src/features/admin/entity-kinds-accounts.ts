import { localTime } from "#lib/local-time.ts";
import { type EntityKind, plainText } from "./entity-kind.ts";

const moment =
  (field: string) =>
  (entity: Record<string, unknown>): string => {
    const epochMs = entity[field];
    return typeof epochMs === "number" ? localTime(epochMs) : "";
  };

export const usersKind: EntityKind = {
  type: "users",
  title: "Users",
  noun: "user",
  idField: "id",
  nameField: "username",
  givenId: true,
  columns: [{ name: "username" }, { name: "email" }, { name: "firstName" }, { name: "lastName" }, { name: "groups" }, { name: "roles" }],
  without: ["import", "export"],
  template: {},
  form: "user",
  extras: ["security-events"],
  saveFailed: "User Save Failed",
};

export const groupsKind: EntityKind = {
  type: "groups",
  title: "Groups",
  noun: "group",
  idField: "id",
  nameField: "name",
  givenId: true,
  columns: [{ name: "name" }, { name: "realmRoles" }],
  without: ["toggle", "export", "import"],
  template: {},
  form: "group",
  saveFailed: "Group Save Failed",
};

export const rolesKind: EntityKind = {
  type: "roles",
  title: "Roles",
  noun: "role",
  idField: "id",
  nameField: "name",
  givenId: true,
  columns: [{ name: "name" }],
  without: ["create", "edit", "copy", "import", "export", "toggle", "remove"],
  template: {},
};

export const noticesKind: EntityKind = {
  type: "notices",
  title: "Information Notices",
  noun: "notice",
  idField: "id",
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
