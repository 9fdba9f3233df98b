/** Whether the user asked the system for less motion. May change while the page is open. */
export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
