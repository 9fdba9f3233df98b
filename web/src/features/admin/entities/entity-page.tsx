import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { entityKindOf } from "./entity-kind-of.ts";
import { EntityScreen } from "./entity-screen.tsx";

const types = Object.keys(entityTypes) as AdministeredType[];

/** The screen of the route's entity type. Each route mounts its own instance. */
export function EntityPage(): ReactNode {
  const router = useRouter();
  const [kind] = useState(() => {
    const screen = router.state.matches.at(-1)?.staticData.screen;
    const type = types.find((candidate) => entityTypes[candidate].screen === screen);
    return type && entityKindOf(type);
  });
  return kind && <EntityScreen kind={kind} />;
}
