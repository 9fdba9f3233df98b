const dayMs = 86_400_000;

/** The expiry options of a key. */
export const expiryChoices = [
  { value: "never", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
] as const;

/** The request field for an option; `keep` leaves the expiry unchanged. */
export function expiryOf(choice: string, nowMs: number): { expiresAtMs?: number | null } {
  if (choice === "keep") return {};
  return { expiresAtMs: choice === "never" ? null : nowMs + Number(choice) * dayMs };
}
