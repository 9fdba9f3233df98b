import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { debounce } from "#lib/pacing/debounce.ts";

const debounceMs = 250;

/** The filter text of a list. The address follows it, debounced; Back and links set it. */
export function useAddressSearch(): [text: string, setText: (text: string) => void] {
  const { search }: { search?: unknown } = useSearch({ strict: false });
  const inAddress = typeof search === "string" ? search : "";
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string | null>(null);
  const [waiting] = useState(() => debounce(debounceMs));
  useEffect(() => waiting.cancel, [waiting]);
  const setText = (text: string) => {
    setTyped(text);
    waiting.schedule(() => {
      void navigate({
        to: ".",
        search: (previous: Record<string, unknown>) => ({ ...previous, search: text === "" ? undefined : text }),
        replace: true,
      }).then(() => setTyped((current) => (current === text ? null : current)));
    });
  };
  return [typed ?? inAddress, setText];
}
