/** The product's logo, a fairway buoy. */
export function BrandMark({ size = 32, label }: { size?: number; label?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      style={{ color: "var(--accent-solid)", flex: "none" }}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path
        d="M9.4 9.1a9.5 9.5 0 0 0 0 13.8ZM13.2 6.9a9.5 9.5 0 0 1 5.6 0v18.2a9.5 9.5 0 0 1-5.6 0ZM22.6 9.1a9.5 9.5 0 0 1 0 13.8Z"
        fill="#fff"
      />
    </svg>
  );
}
