import type { DatasetRef } from "@fairway/contract/datasets";

/** The access of an API key, within its owner's permissions. */
export interface Reach {
  readonly apiKeyId: string;
  /** Current name. */
  readonly apiKeyName: string;
  readonly datasets: readonly DatasetRef[];
  readonly filesets: readonly string[];
  readonly ecosystems: readonly string[];
  /** Whether it may add files to its datasets. Default: no. */
  readonly mayAppend?: boolean;
}

/** The state of a user in the database. */
interface UserState {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly groupNames: readonly string[];
  readonly sessionId: string;
  readonly signedInAtMs: number;
  readonly lacksSecondFactor?: boolean;
  readonly reach?: Reach;
}

/**
 * The calling user with the current state from the database (not from the token's claims), and whoever reads data. What is shown depends on
 * all of it, so that neither roles alone nor a changed copy are a user. The architecture test names who may make one.
 */
export class SignedInUser {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
  /** Ids of the groups that the user is in. */
  readonly groups: readonly string[];
  /** Their names, in no particular order. */
  readonly groupNames: readonly string[];
  /** The session of the access token; the key's id for a call with an API key; empty for work that outlives both. */
  readonly sessionId: string;
  /** When this session last signed in; 0 without one. */
  readonly signedInAtMs: number;
  /** The portal requires a second factor but the session has only a password, so the role admin does not apply. */
  readonly lacksSecondFactor?: true;
  /** Set for a call with an API key, which it limits. */
  readonly reach?: Reach;
  /** Keeps the compiler from taking any other object for a user. */
  declare private readonly isMade: true;

  private constructor({ id, username, roles, groups, groupNames, sessionId, signedInAtMs, lacksSecondFactor = false, reach }: UserState) {
    this.id = id;
    this.username = username;
    this.roles = Object.freeze([...roles]);
    this.groups = Object.freeze([...groups]);
    this.groupNames = Object.freeze([...groupNames]);
    this.sessionId = sessionId;
    this.signedInAtMs = signedInAtMs;
    if (lacksSecondFactor) this.lacksSecondFactor = true;
    if (reach !== undefined) this.reach = Object.freeze(reach);
    Object.freeze(this);
  }

  static make(state: UserState): SignedInUser {
    return new SignedInUser(state);
  }
}
