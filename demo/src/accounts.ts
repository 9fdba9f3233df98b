import { demoPassword } from "@fairway/contract/api";

export interface DemoAccounts {
  readonly roles: readonly string[];
  readonly groups: readonly { readonly name: string; readonly roles: readonly string[] }[];
  readonly users: readonly {
    readonly username: string;
    readonly password: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly groups: readonly string[];
  }[];
}

/** One account per level of access. Roles are assigned through groups, so that the group editor has something to show. */
export const demoAccounts: DemoAccounts = {
  roles: ["admin", "schema-edit", "data-upload", "flow-developer-storm-desk", "flow-developer-flight-desk"],
  groups: [
    { name: "Administrators", roles: ["admin"] },
    { name: "Editors", roles: ["schema-edit", "data-upload"] },
    { name: "Storm desk flow developers", roles: ["flow-developer-storm-desk"] },
    { name: "Flight desk flow developers", roles: ["flow-developer-flight-desk"] },
    { name: "Viewers", roles: [] },
  ],
  users: [
    account("admin", "Helen", "Marsh", "Administrators"),
    account("editor", "Daniel", "Okafor", "Editors"),
    account("developer", "Ingrid", "Solberg", "Storm desk flow developers"),
    account("viewer", "Tomás", "Rivera", "Viewers"),
  ],
};

function account(username: string, firstName: string, lastName: string, group: string): DemoAccounts["users"][number] {
  const mailbox = `${firstName}.${lastName}`.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return { username, password: demoPassword, firstName, lastName, email: `${mailbox}@fairway.example`, groups: [group] };
}
