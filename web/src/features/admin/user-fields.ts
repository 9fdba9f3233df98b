import type { EntityDraft } from "./entity.ts";

/** A user as the form holds it; groups and roles by their names. */
export interface UserFields {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: string[];
  roles: string[];
  setPassword: boolean;
  password: string;
  requirePasswordChange: boolean;
}

type Problems = Partial<Record<"username" | "email" | "firstName" | "lastName" | "password", string>>;

/** What is wrong, by field. */
export function userProblems(
  { username, email, firstName, lastName, setPassword, password }: UserFields,
  passwordMinCharacters: number,
): Problems {
  return {
    ...(username.trim().length < 2 ? { username: "A username needs at least 2 characters." } : {}),
    ...(tooShort(email, 3) ? { email: "An email needs at least 3 characters." } : {}),
    ...(firstName !== "" && firstName.trim() === "" ? { firstName: "A first name needs at least 1 character." } : {}),
    ...(lastName !== "" && lastName.trim() === "" ? { lastName: "A last name needs at least 1 character." } : {}),
    ...(setPassword && password.length < passwordMinCharacters
      ? { password: `A password needs at least ${passwordMinCharacters} characters.` }
      : {}),
  };
}

/** Present, but too short. */
const tooShort = (text: string, least: number): boolean => text.trim() !== "" && text.trim().length < least;

/** The first of them, in the order of the form. */
export const userProblem = ({ username, email, firstName, lastName, password }: Problems): string | null =>
  username ?? email ?? firstName ?? lastName ?? password ?? null;

/** What is sent. An edit keeps the lock as it is. */
export function userDraftOf(fields: UserFields, edited: EntityDraft | null): EntityDraft {
  const { username, email, firstName, lastName, groups, roles, setPassword, password, requirePasswordChange } = fields;
  const named = (names: string[]) => names.map((name) => ({ name }));
  return {
    ...(edited === null ? {} : { id: edited["id"] }),
    username: username.trim(),
    email: email.trim(),
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    groups: named(groups),
    roles: named(roles),
    password: { setPassword, value: setPassword ? password : "", requirePasswordChange },
  };
}
