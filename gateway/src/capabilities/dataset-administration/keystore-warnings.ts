import type { EntityWarning } from "@fairway/contract/entities";
import { KeystoreProblem, type Keystores } from "#query/rest/keystore.ts";

/** Says that the keystore of an external dataset cannot be used. Only its file is looked at: its password is nobody's to read here. */
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
