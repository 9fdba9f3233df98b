import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** Mantine's own variables point at our tokens, so that both themes have one source. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const both = {
    "--mantine-color-body": "var(--bg)",
    "--mantine-color-text": "var(--text)",
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
    "--mantine-color-accent-filled": "var(--accent-solid)",
    "--mantine-color-accent-filled-hover": "var(--accent-solid-hover)",
    "--mantine-color-accent-light": "var(--accent-soft)",
    "--mantine-color-accent-light-hover": "var(--accent-soft)",
    "--mantine-color-accent-light-color": "var(--accent)",
    "--mantine-color-accent-outline": "var(--accent)",
    "--mantine-color-disabled": "var(--bg-rail)",
    "--mantine-color-disabled-color": "var(--text-3)",
    "--mantine-color-disabled-border": "var(--line)",
  };
  return { variables: {}, light: both, dark: both };
};

// Mantine wants ten shades; only 7 is met, and the variables above stand over it.
const accent = ["#e4f1f6", "#c9e3ec", "#a6cddb", "#7db5c8", "#559db5", "#2f86a2", "#147190", "#0a627f", "#084f67", "#063c4f"] as const;

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 7 },
  colors: { accent },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "11px", sm: "14px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "20px", md: "20px", lg: "24px", xl: "28px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { sm: "4px", md: "6px", lg: "8px" },
  defaultRadius: "md",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
});
