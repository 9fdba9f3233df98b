import { useEffect } from "react";
import { searchAddress } from "#parts/search-model/search-address.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** Keeps the address in step with the search, so that a link or a reload brings back what is on the screen. Adds nothing to the history. */
export function useAddressInStep(record: SearchRecord): void {
  const address = searchAddress(record);
  useEffect(() => {
    const { pathname, hash } = new URL(address, location.origin);
    // One may be on the way to another screen, whose entry in the history this is then.
    if (location.pathname === pathname && location.hash !== hash) history.replaceState(history.state, "", address);
  }, [address]);
}
