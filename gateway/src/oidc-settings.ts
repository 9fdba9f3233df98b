/** The organization's OpenID Connect provider as configured by the operator. Each field is a variable of the environment. */
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
