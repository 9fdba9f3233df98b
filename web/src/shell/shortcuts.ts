const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** Ctrl+K or Cmd+K, as written on this platform. */
export const paletteKeys = isApple ? "⌘ K" : "Ctrl K";

/** The shortcuts of every screen. Shortcuts of one screen are listed next to the controls they act on. */
export const shortcuts: readonly { keys: readonly string[]; what: string }[] = [
  { keys: [isApple ? "⌘" : "Ctrl", "K"], what: "Search everything" },
  { keys: ["/"], what: "Go to the filter of this screen" },
  { keys: ["?"], what: "Show these shortcuts" },
  { keys: ["Esc"], what: "Close what is on top" },
];
