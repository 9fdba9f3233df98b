import type { SignedInUser } from "#http/signed-in-user.ts";

/** Validates a request by the same rules as its call, and passes what it became to `work`. Throws Refusal. */
export type Prepare<Request, Prepared> = <T>(
  user: SignedInUser,
  datasetPath: { readonly category: string; readonly datasetId: string },
  request: Request,
  work: (prepared: Prepared) => Promise<T>,
) => Promise<T>;
