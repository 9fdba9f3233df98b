import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { useRouter, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { island } from "#ui/island.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";
import { entityKindOf } from "./entity-kind-of.ts";
import { EntityScreen } from "./entity-screen.tsx";

// Few visits edit a dataset, and its form is larger than the list.
const AdminDatasetForm = island(() => import("../dataset-form/admin-dataset-form.tsx"));

const AccessDialog = island(() => import("../access/access-dialog.tsx"));

const types = Object.keys(entityTypes) as AdministeredType[];

/** The screen of the route's entity type, or the form of one dataset. Each route mounts its own instance. */
export function EntityPage(): ReactNode {
  const router = useRouter();
  const [kind] = useState(() => {
    const screen = router.state.matches.at(-1)?.staticData.screen;
    const type = types.find((candidate) => entityTypes[candidate].screen === screen);
    return type && entityKindOf(type);
  });
  const { form, access = "" }: { form?: string; access?: string } = useSearch({ strict: false });
  // The last dataset stays while the dialog fades out.
  const accessId = useLastShown(access === "" ? null : access);
  if (kind?.type === "datasets/internal" && form !== undefined && form !== "") return <AdminDatasetForm id={form} />;
  return (
    kind && (
      <>
        <EntityScreen kind={kind} />
        {kind.type === "datasets/internal" && accessId !== null && <AccessDialog key={accessId} id={accessId} opened={access !== ""} />}
      </>
    )
  );
}
