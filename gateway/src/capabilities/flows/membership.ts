import { passesRole } from "@fairway/contract/access";
import type { EntityBody } from "@fairway/contract/administration";
import { flowDeveloperRole, isFlowGroupMember } from "@fairway/contract/flows";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { enabledEntities } from "#entities/enabled-entities.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { holdersOf } from "#identity/accounts.ts";

export type FlowGroup = EntityBody<"flowGroups">;
export type Caller = Pick<SignedInUser, "id" | "username" | "roles" | "lacksSecondFactor">;

export interface Member {
  readonly id: string;
  readonly username: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly roles: readonly string[];
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "list">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
}

export const adminRole = "admin";

/** The caller's roles that apply. */
const rolesOf = ({ roles, lacksSecondFactor }: Caller): readonly string[] =>
  lacksSecondFactor ? roles.filter((role) => role !== adminRole) : roles;

export const isAdmin = (user: Caller): boolean => passesRole(rolesOf(user), adminRole);

/** Membership of flow groups, which reveals their content: holders of its role and administrators, while the group is enabled. */
export class Membership {
  readonly #db: Kysely<Database>;
  readonly #groups: ReturnType<typeof enabledEntities<FlowGroup>>;

  constructor({ db, entities, entityChanges }: Parts) {
    this.#db = db;
    this.#groups = enabledEntities(entities, storedTypes.flowGroups);
    entityChanges.subscribe((type) => {
      if (type === undefined || type === storedTypes.flowGroups.name) this.#groups.forget();
    });
  }

  /** The groups of which the user is a member, by name. */
  async groupsOf(user: Caller): Promise<FlowGroup[]> {
    const groups = await this.#groups.get();
    return groups.map(({ body }) => body).filter(({ name }) => isFlowGroupMember(rolesOf(user), name));
  }

  async isMember(user: Caller, group: string): Promise<boolean> {
    return (await this.#find(user, group)) !== undefined;
  }

  /** The group. Refuses with `not-found` whatever the user may not know of. */
  async require(user: Caller, group: string): Promise<FlowGroup> {
    let found = await this.#find(user, group);
    if (!found && isFlowGroupMember(rolesOf(user), group)) {
      // Another gateway may have created it a moment ago.
      this.#groups.forget();
      found = await this.#find(user, group);
    }
    if (!found) throw new Refusal("not-found", `There is no flow group '${group.slice(0, 100)}'.`);
    return found;
  }

  async #find(user: Caller, group: string): Promise<FlowGroup | undefined> {
    return (await this.groupsOf(user)).find(({ name }) => name === group);
  }

  /** The members who can sign in, by username. */
  members(group: string): Promise<Member[]> {
    return holdersOf(this.#db, flowDeveloperRole(group), adminRole);
  }
}
