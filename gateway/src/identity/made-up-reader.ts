import { SignedInUser } from "#http/signed-in-user.ts";

/** A reader who need not exist, to see data as somebody with these roles and groups would. It is nobody's account and reaches nothing else. */
export const madeUpReader = ({
  roles,
  groupNames = [],
  username = "",
}: {
  readonly roles: readonly string[];
  readonly groupNames?: readonly string[];
  readonly username?: string;
}): SignedInUser => SignedInUser.make({ id: "", username, roles, groups: [], groupNames, sessionId: "", signedInAtMs: 0 });
