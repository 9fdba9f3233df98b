import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { debounce } from "#lib/pacing/debounce.ts";
import { type CatalogPlace, catalogPlace, catalogSearch } from "./catalog-place.ts";

const debounceMs = 250;

interface DebouncedPlace {
  /** As the form shows it. */
  typed: CatalogPlace;
  /** As it is in the address. */
  found: CatalogPlace;
}

/** The filters follow the address, and the address follows what is typed, debounced. */
export function useCatalogPlace(): [place: DebouncedPlace, setPlace: (place: CatalogPlace) => void] {
  const found = catalogPlace(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [typed, setTyped] = useState<CatalogPlace | null>(null);
  const [waiting] = useState(() => debounce(debounceMs));
  useEffect(() => waiting.cancel, [waiting]);
  const setPlace = (place: CatalogPlace) => {
    setTyped(place);
    waiting.schedule(() => {
      void navigate({ to: "/data-catalog", search: catalogSearch(place), replace: true }).then(() =>
        setTyped((current) => (current === place ? null : current)),
      );
    });
  };
  return [{ typed: typed ?? found, found }, setPlace];
}
