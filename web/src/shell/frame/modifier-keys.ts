const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** The keys of this platform, as written on them. */
export const control: string = isApple ? "⌘" : "Ctrl";
export const alt: string = isApple ? "⌥" : "Alt";

/** Ctrl+K or Cmd+K. */
export const paletteKeys = `${control} K`;
