/** How long NiFi may take for what it does in the background. */
export interface Waits {
  readonly stopMs: number;
  readonly replaceMs: number;
  readonly servicesMs: number;
  readonly startMs: number;
  /** How long a component has to be invalid to count as invalid. */
  readonly settleMs: number;
}

export const defaultWaits: Waits = { stopMs: 60_000, replaceMs: 120_000, servicesMs: 60_000, startMs: 60_000, settleMs: 3_000 };

/** Between looks at what NiFi does. */
export const pauses = { firstMs: 100, maxMs: 1_000 };
