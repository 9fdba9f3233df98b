import { newAccountName } from "@fairway/contract/accounts";
import { recordOf } from "@fairway/contract/records";
import { z } from "zod";

/** The path of a folder or a file. */
export const pathText = z.string().regex(/^\P{Cc}+$/u, "expected a path");

const claim = (fallback: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, "expected the name of a claim")
    .default(fallback);

/** Values of a claim of which people need one. */
const requiredValues = z
  .array(z.string().regex(/^\P{Cc}{1,500}$/u))
  .max(1_000)
  .default([]);

/** From values of a claim to one role or several. */
export const roleMapping = recordOf(z.string(), z.union([newAccountName, z.array(newAccountName)])).transform(
  (mapping): RoleMapping => new Map(Object.entries(mapping).map(([value, roles]) => [value, [roles].flat()])),
);

/** The part `oidc` of the settings file: what goes beyond the address of the provider, its client and the roles. */
export const oidcDetails = z.strictObject({
  clientAuthentication: z.enum(["basic", "post"]).default("basic"),
  scope: z
    .string()
    .regex(/^(?=.*\bopenid\b)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, "expected scopes separated by spaces, openid among them")
    .default("openid profile email"),
  /** The path of a PEM file. */
  ca: pathText.optional(),
  claims: z
    .strictObject({
      username: claim("preferred_username"),
      firstName: claim("given_name"),
      lastName: claim("family_name"),
      name: claim("name"),
      email: claim("email"),
      groups: claim("groups"),
      roles: claim("roles"),
    })
    .prefault({}),
  groupMapping: roleMapping.prefault({}),
  takeRoles: z.boolean().default(false),
  takeGroups: z.boolean().default(false),
  requiredRoles: requiredValues,
  requiredGroups: requiredValues,
});

/** The organization's OpenID Connect provider as configured by the operator. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: the portal is a public client. */
  readonly clientSecret: string | undefined;
  /** How the client secret is sent: with HTTP Basic, or in the body. */
  readonly clientAuthentication: "basic" | "post";
  /** Completes "Sign in with …". */
  readonly displayName: string;
  readonly scope: string;
  /** Certificates in PEM to trust in addition to the public ones. */
  readonly ca: string | undefined;
  /** Names of claims. A dot descends into an object, unless a claim has the whole name. */
  readonly claims: Readonly<Record<ClaimOfPerson, string>>;
  /** Roles of the portal by value of the roles claim. */
  readonly roleMapping: RoleMapping;
  /** Roles of the portal by value of the groups claim. */
  readonly groupMapping: RoleMapping;
  /** Whether other values of the roles claim are names of roles of the portal. */
  readonly takesRoles: boolean;
  /** Whether values of the groups claim are names of groups of the portal. */
  readonly takesGroups: boolean;
  /** Values of the roles and of the groups claim of which a person needs one. Both empty: everyone may sign in. */
  readonly required: { readonly roles: readonly string[]; readonly groups: readonly string[] };
}

export type ClaimOfPerson = "username" | "firstName" | "lastName" | "name" | "email" | "groups" | "roles";

export type RoleMapping = ReadonlyMap<string, readonly string[]>;

/** Timeout of one call to the provider. */
export const providerTimeoutMs = 10_000;
