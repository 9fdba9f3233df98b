import { newUserTexts } from "@fairway/contract/accounts";
import { parsed } from "#http/parsed.ts";

interface UserTexts {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Validates and normalizes the display texts of a draft. Unchanged texts are not validated again. */
export function checkedTexts({ email, firstName, lastName }: UserTexts, before: Partial<UserTexts> | undefined): UserTexts {
  const draft = { email, firstName, lastName };
  const fields = ["email", "firstName", "lastName"] as const;
  const changed = fields.filter((field) => before?.[field] !== draft[field]);
  const checked = parsed(newUserTexts.partial(), Object.fromEntries(changed.map((field) => [field, draft[field]])), "The user");
  return { email: checked.email ?? email, firstName: checked.firstName ?? firstName, lastName: checked.lastName ?? lastName };
}
