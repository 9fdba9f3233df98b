import { everyone } from "@fairway/contract/access";

/** A role as it is shown where something is shared. */
export const roleText = (role: string): string => (role === everyone ? "everyone" : role);

/** Options for sharing: everyone, roles of the user, and those that are chosen already. */
export const sharingOptions = (roles: readonly string[], chosen: readonly string[]): { value: string; label: string }[] =>
  [...new Set([everyone, ...roles, ...chosen])].map((role) => ({ value: role, label: role === everyone ? "Everyone" : role }));
