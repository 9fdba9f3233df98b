import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** CSS variables that map one of Mantine's color names to our tokens. */
function colorVariables(
  name: string,
  tokens: { text: string; solid: string; solidHover: string; soft: string; line: string },
): Record<string, string> {
  return {
    [`--mantine-color-${name}-text`]: tokens.text,
    [`--mantine-color-${name}-filled`]: tokens.solid,
    [`--mantine-color-${name}-filled-hover`]: tokens.solidHover,
    [`--mantine-color-${name}-light`]: tokens.soft,
    [`--mantine-color-${name}-light-hover`]: tokens.soft,
    [`--mantine-color-${name}-light-color`]: tokens.text,
    [`--mantine-color-${name}-outline`]: tokens.line,
    [`--mantine-color-${name}-outline-hover`]: tokens.soft,
  };
}

function shadeVariables(name: string, shades: readonly string[]): Record<string, string> {
  return Object.fromEntries(shades.map((token, shade) => [`--mantine-color-${name}-${shade}`, `var(--${token})`]));
}

/** Maps Mantine's variables to our tokens, so that both color schemes have one source. `red` is our rose. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const both = {
    "--mantine-color-body": "var(--bg)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-bright": "var(--text)",
    "--mantine-color-dimmed": "var(--text-2)",
    "--mantine-color-placeholder": "var(--text-3)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-default": "var(--bg)",
    "--mantine-color-default-hover": "var(--bg-hover)",
    "--mantine-color-default-color": "var(--text)",
    "--mantine-color-default-border": "var(--line-strong)",
    "--mantine-color-error": "var(--rose)",
    "--mantine-primary-color-filled": "var(--accent-solid)",
    "--mantine-primary-color-filled-hover": "var(--accent-solid-hover)",
    "--mantine-primary-color-light": "var(--accent-soft)",
    "--mantine-primary-color-light-hover": "var(--accent-soft)",
    "--mantine-primary-color-light-color": "var(--accent)",
    "--mantine-primary-color-contrast": "var(--on-accent)",
    "--mantine-color-disabled": "var(--bg-rail)",
    "--mantine-color-disabled-color": "var(--text-3)",
    "--mantine-color-disabled-border": "var(--line)",
    ...colorVariables("accent", {
      text: "var(--accent)",
      solid: "var(--accent-solid)",
      solidHover: "var(--accent-solid-hover)",
      soft: "var(--accent-soft)",
      line: "var(--accent)",
    }),
    ...colorVariables("red", {
      text: "var(--rose)",
      solid: "var(--rose-solid)",
      solidHover: "var(--rose-solid-hover)",
      soft: "var(--rose-soft)",
      line: "var(--rose-line)",
    }),
    ...colorVariables("yellow", {
      text: "var(--amber)",
      solid: "var(--amber)",
      solidHover: "var(--amber)",
      soft: "var(--amber-soft)",
      line: "var(--amber-line)",
    }),
    ...colorVariables("gray", {
      text: "var(--text-2)",
      solid: "var(--line-mark)",
      solidHover: "var(--line-mark)",
      soft: "var(--bg-press)",
      line: "var(--line-strong)",
    }),
    // Mantine uses its grays for borders, hovers and tracks: gray-… in light themes, dark-… in dark ones.
    ...shadeVariables("gray", ["bg-hover", "bg-hover", "line", "line", "line-strong", "text-3", "text-3", "text-2", "text", "text"]),
    ...shadeVariables("dark", [
      "text",
      "text-2",
      "text-3",
      "line-mark",
      "line-strong",
      "bg-press",
      "bg",
      "bg-raised",
      "bg-panel",
      "bg-rail",
    ]),
  };
  return { variables: {}, light: both, dark: both };
};

// Mantine requires ten shades. Only shade 7 is used, and the variables above override it.
const accent = ["#e4f1f6", "#c9e3ec", "#a6cddb", "#7db5c8", "#559db5", "#2f86a2", "#147190", "#0a627f", "#084f67", "#063c4f"] as const;

const fastTransition = { duration: 120 } as const;
const labeledCloseButton = { closeButtonProps: { "aria-label": "Close" } } as const;

/** Shared behavior of components. Their appearance is in `look.css`. */
export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 7 },
  colors: { accent },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "var(--text-sm)", sm: "var(--text-md)", md: "var(--text-md)", lg: "var(--text-lg)", xl: "var(--text-xl)" },
  lineHeights: { xs: "var(--lead-sm)", sm: "var(--lead-md)", md: "var(--lead-md)", lg: "var(--lead-lg)", xl: "var(--lead-xl)" },
  fontWeights: { medium: "var(--weight-label)", bold: "var(--weight-title)" },
  spacing: { xs: "var(--s1)", sm: "var(--s2)", md: "var(--s3)", lg: "var(--s4)", xl: "var(--s6)" },
  radius: { xs: "var(--r-sm)", sm: "var(--r-sm)", md: "var(--r-md)", lg: "var(--r-lg)", xl: "var(--r-lg)" },
  shadows: { xs: "none", sm: "var(--float)", md: "var(--float)", lg: "var(--float)", xl: "var(--float)" },
  defaultRadius: "md",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    // The header of a dialog is not a banner landmark; the page already has one.
    ModalHeader: { defaultProps: { role: "presentation" } },
    DrawerHeader: { defaultProps: { role: "presentation" } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        size: 440,
        transitionProps: { transition: "fade", ...fastTransition },
        ...labeledCloseButton,
      },
    },
    Drawer: { defaultProps: { transitionProps: fastTransition, ...labeledCloseButton } },
    Menu: {
      defaultProps: {
        radius: "lg",
        shadow: "md",
        offset: 4,
        position: "bottom-end",
        // Opening one focuses its first item.
        withInitialFocusPlaceholder: false,
        transitionProps: fastTransition,
        // Scrolls where it has no room.
        middlewares: { flip: true, shift: true, size: { padding: 8 } },
      },
    },
    Popover: { defaultProps: { radius: "lg", shadow: "md", offset: 4, transitionProps: fastTransition } },
    Combobox: { defaultProps: { shadow: "md", offset: 4, transitionProps: fastTransition } },
    // Mantine's scroll area requests frames forever if it is unmounted within 100 ms of scrolling.
    Select: { defaultProps: { withScrollArea: false } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: fastTransition, events: { hover: true, focus: true, touch: false } } },
    SegmentedControl: { defaultProps: { transitionDuration: 120 } },
    Tabs: { defaultProps: { keepMounted: false } },
  },
});
