import type { EntityDraft } from "../entities/entity.ts";

/** The form's fields of a user; groups and roles by name. */
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

/** Problems by field. */
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

/** True for a non-empty text that is too short. */
const tooShort = (text: string, min: number): boolean => text.trim() !== "" && text.trim().length < min;

/** The first problem in the order of the form. */
export const userProblem = ({ username, email, firstName, lastName, password }: Problems): string | null =>
  username ?? email ?? firstName ?? lastName ?? password ?? null;

/** The body to send. An edit does not change the lock. */
export function toUserDraft(fields: UserFields, edited: EntityDraft | null): EntityDraft {
  const { username, email, firstName, lastName, groups, roles, setPassword, password, requirePasswordChange } = fields;
  const toNamed = (names: string[]) => names.map((name) => ({ name }));
  return {
    ...(edited === null ? {} : { id: edited["id"] }),
    username: username.trim(),
    email: email.trim(),
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    groups: toNamed(groups),
    roles: toNamed(roles),
    password: { setPassword, value: setPassword ? password : "", requirePasswordChange },
  };
}
