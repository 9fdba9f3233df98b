import { type Grants, type ProviderPerson, personHash } from "#identity/provider-links.ts";
import type { OidcSettings } from "#openid/oidc-settings.ts";
import { IssuerFailure } from "./issuer-calls.ts";

export type Claims = Readonly<Record<string, unknown>>;

const maxSubjectCharacters = 500;
const maxTextCharacters = 320;
/** Far more groups than anybody belongs to. */
const maxValues = 2_000;
/** Longer names of roles and groups are nobody's here. */
const maxValueCharacters = 1_000;

/**
 * Reads the claims of a person. Throws IssuerFailure if they name no subject or are beyond any use. With `complete`, a missing
 * claim of roles or groups means that there are none, otherwise that they are unchanged.
 */
export function personOf(claims: Claims, settings: OidcSettings, { complete }: { complete: boolean }): ProviderPerson {
  const { issuer, claims: names } = settings;
  const subject = claims["sub"];
  if (typeof subject !== "string" || subject.trim() === "" || subject.length > maxSubjectCharacters || subject.includes("\0")) {
    throw new IssuerFailure("its response names no usable 'sub'");
  }
  const [firstName, lastName] = [textAt(claims, names.firstName), textAt(claims, names.lastName)];
  const hasName = firstName !== "" || lastName !== "";
  return {
    issuer,
    subject,
    hash: personHash(issuer, subject),
    username: textAt(claims, names.username),
    firstName: hasName ? firstName : textAt(claims, names.name),
    lastName,
    email: textAt(claims, names.email),
    grants: grantsOf(claims, settings, complete),
  };
}

function grantsOf(claims: Claims, settings: OidcSettings, complete: boolean): Grants | undefined {
  const { claims: names, roleMapping, groupMapping, takesRoles, takesGroups, required } = settings;
  const [roles, groups] = [valuesAt(claims, names.roles), valuesAt(claims, names.groups)];
  if (!complete && (roles === undefined || groups === undefined)) return undefined;
  const [heldRoles, heldGroups] = [roles ?? [], groups ?? []];
  const isRequired = required.roles.length > 0 || required.groups.length > 0;
  return {
    isAllowed:
      !isRequired || heldRoles.some((role) => required.roles.includes(role)) || heldGroups.some((group) => required.groups.includes(group)),
    roles: [
      ...new Set([
        ...heldRoles.flatMap((role) => roleMapping.get(role) ?? []),
        ...heldGroups.flatMap((group) => groupMapping.get(group) ?? []),
      ]),
    ],
    rolesByName: takesRoles ? heldRoles.filter((role) => !roleMapping.has(role)) : [],
    groupsByName: takesGroups ? heldGroups : [],
  };
}

/** The value of a claim, by its whole name or else by a path with dots. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

function textAt(claims: Claims, name: string): string {
  const value = valueAt(claims, name);
  return typeof value === "string" && value.length <= maxTextCharacters ? value.trim() : "";
}

/** The database has no texts with null characters. */
const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxValueCharacters && !value.includes("\0");

/** Texts of a list, or a single text; undefined without the claim. */
function valuesAt(claims: Claims, name: string): readonly string[] | undefined {
  const value = valueAt(claims, name);
  if (value === undefined || value === null) return undefined;
  const values = Array.isArray(value) ? value : [value];
  if (values.length > maxValues) throw new IssuerFailure(`its claim ${JSON.stringify(name)} has more than ${maxValues} values`);
  return values.filter(isName);
}
