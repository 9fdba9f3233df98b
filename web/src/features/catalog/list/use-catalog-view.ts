import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { debounce } from "#lib/pacing/debounce.ts";
import { type CatalogView, catalogView, catalogSearch } from "./catalog-view.ts";

const debounceMs = 250;

interface DebouncedView {
  /** As the form shows it. */
  typed: CatalogView;
  /** As it is in the address. */
  found: CatalogView;
}

/** The filters follow the address, and the address follows what is typed, debounced. */
export function useCatalogView(): [view: DebouncedView, setView: (view: CatalogView) => void] {
  const found = catalogView(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [typed, setTyped] = useState<CatalogView | null>(null);
  const [waiting] = useState(() => debounce(debounceMs));
  useEffect(() => waiting.cancel, [waiting]);
  const setView = (view: CatalogView) => {
    setTyped(view);
    waiting.schedule(() => {
      void navigate({ to: "/data-catalog", search: catalogSearch(view), replace: true }).then(() =>
        setTyped((current) => (current === view ? null : current)),
      );
    });
  };
  return [{ typed: typed ?? found, found }, setView];
}
