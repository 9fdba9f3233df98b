import { newUserTexts } from "@fairway/contract/accounts";
import { parsed } from "#http/parsed.ts";

interface UserTexts {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The texts of a draft as they are saved. Refuses what must not be in them; a text that was there before stays as it was. */
export function checkedTexts({ email, firstName, lastName }: UserTexts, before: Partial<UserTexts> | undefined): UserTexts {
  const sent = { email, firstName, lastName };
  const fields = ["email", "firstName", "lastName"] as const;
  const fresh = fields.filter((field) => before?.[field] !== sent[field]);
  const checked = parsed(newUserTexts.partial(), Object.fromEntries(fresh.map((field) => [field, sent[field]])), "The user");
  return { email: checked.email ?? email, firstName: checked.firstName ?? firstName, lastName: checked.lastName ?? lastName };
}
