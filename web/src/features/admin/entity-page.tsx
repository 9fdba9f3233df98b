import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { EntityScreen } from "./entity-screen.tsx";
import { entityKinds } from "./entity-kinds.ts";

/** The screen of the type that the address names. Each route mounts its own. */
export function EntityPage() {
  const router = useRouter();
  const [screen] = useState(() => router.state.matches.at(-1)?.staticData.screen);
  const kind = entityKinds.get(screen ?? "");
  return kind && <EntityScreen kind={kind} />;
}
