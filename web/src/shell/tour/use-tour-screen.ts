import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import { findExample, type TourExample } from "./tour-example.ts";
import type { TourStep } from "./tour-steps.ts";

/** Leads to the screen of the current step. Stays where it is if there is nothing to show. */
export function useTourScreen(screen: TourStep["screen"]): void {
  const navigate = useNavigate();
  const example = useRef<Promise<TourExample | null>>(null);
  const search = useRef<Promise<string>>(null);
  useEffect(() => {
    let isCurrent = true;
    const go = async () => {
      if (screen === "start") {
        await navigate({ to: "/search", search: {} });
        return;
      }
      example.current ??= findExample();
      const found = await example.current;
      if (!isCurrent || !found) return;
      if (screen === "form") {
        await navigate({ to: "/search", search: { category: found.dataset.datasetCategory, dataset: found.dataset.datasetId } });
        return;
      }
      search.current ??= found.start();
      const id = await search.current;
      const record = useOpenSearches.getState().records.find((one) => one.id === id);
      if (isCurrent && record) await navigate({ to: "/search/$searchId", params: { searchId: id }, hash: searchFragment(record) });
    };
    go().catch((error: unknown) => {
      // Tried again by the next step.
      example.current = null;
      search.current = null;
      logFailure("The tour has nothing to show", error);
    });
    return () => {
      isCurrent = false;
    };
  }, [screen, navigate]);
}
