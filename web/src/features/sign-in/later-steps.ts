import { loadInPlace } from "#lib/browser/chunk-load.ts";

export type LaterSteps = Awaited<ReturnType<typeof loadLaterSteps>>;

/** Loads the steps that may follow the password. Rejects with ChunkLoadError. */
export const loadLaterSteps = () =>
  loadInPlace(async () => {
    const [{ SecondFactorStep }, { PasswordUpdate }] = await Promise.all([
      import("./second-factor-step.tsx"),
      import("./password-update.tsx"),
    ]);
    return { SecondFactorStep, PasswordUpdate };
  });
