import type { EntityWarning } from "@fairway/contract/entity-warning";
import { KeystoreProblem, type Keystores } from "#query/rest/keystore.ts";

/** Warns if the keystore of an external dataset cannot be used. Checks only the file, as the password must not be read here. */
export const keystoreWarnings =
  (keystores: Pick<Keystores, "requireFile">) =>
  async (entity: Readonly<Record<string, unknown>>): Promise<readonly EntityWarning[]> => {
    const { path } = (entity["keystoreCredential"] ?? {}) as { path?: unknown };
    if (typeof path !== "string") return [];
    try {
      await keystores.requireFile(path);
      return [];
    } catch (error) {
      if (!(error instanceof KeystoreProblem)) throw error;
      return [{ code: "keystore-missing", message: error.message, path: "keystoreCredential.path" }];
    }
  };
