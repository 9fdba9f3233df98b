import { z } from "zod";

/** Whether this machine knows the text as an IANA time zone, such as `America/New_York`. Offsets are none. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return false;
  try {
    void new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An IANA time zone that this server knows, such as Europe/Berlin. */
export const zoneName = z
  .string()
  .max(100)
  .refine((zone) => isZone(zone), "is not a time zone");
