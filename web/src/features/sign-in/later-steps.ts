import { loadInPlace } from "#lib/chunk-load.ts";

export type LaterSteps = Awaited<ReturnType<typeof loadLaterSteps>>;

/** What signing in may ask for after the password. Rejects with ChunkLoadError. */
export const loadLaterSteps = () =>
  loadInPlace(async () => {
    const [{ SecondFactorStep }, { PasswordUpdate }] = await Promise.all([
      import("./second-factor-step.tsx"),
      import("./password-update.tsx"),
    ]);
    return { SecondFactorStep, PasswordUpdate };
  });
