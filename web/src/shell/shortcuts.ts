const apple = /mac|iphone|ipad/i.test(navigator.platform);

/** Ctrl or Cmd with K, as this machine writes it. */
export const paletteKeys = apple ? "⌘ K" : "Ctrl K";

/** The keys that work on every screen. Screens list their own beside what they act on. */
export const shortcuts: readonly { keys: readonly string[]; what: string }[] = [
  { keys: [apple ? "⌘" : "Ctrl", "K"], what: "Search everything" },
  { keys: ["/"], what: "Go to the filter of this screen" },
  { keys: ["?"], what: "Show these shortcuts" },
  { keys: ["Esc"], what: "Close what is on top" },
];
