import { IconArrowAutofitWidth } from "#ui/icons/arrow-autofit-width.ts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconMinus } from "#ui/icons/minus.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./pdf.module.css";

interface PdfPagerProps {
  /** One-based. */
  page: number;
  pages: number;
  /** 1 is the actual size. */
  zoom: number;
  onPage: (page: number) => void;
  onZoom: (by: -1 | 1) => void;
  onFitWidth: () => void;
}

export function PdfPager({ page, pages, zoom, onPage, onZoom, onFitWidth }: PdfPagerProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    const wanted = Number(typed ?? "");
    setTyped(null);
    if (Number.isInteger(wanted) && wanted >= 1) onPage(Math.min(wanted, pages));
  };
  return (
    <div className={classes["pager"]} role="toolbar" aria-label="Pages and zoom">
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronUp size={16} aria-hidden />
      </IconButton>
      <input
        type="text"
        inputMode="numeric"
        aria-label="Page number"
        autoComplete="off"
        value={typed ?? page}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
      />
      <span className={classes["total"]}>{`of ${pages.toLocaleString("en-US")}`}</span>
      <IconButton label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronDown size={16} aria-hidden />
      </IconButton>
      <span className={classes["rule"]} />
      <IconButton label="Zoom out" onClick={() => onZoom(-1)}>
        <IconMinus size={16} aria-hidden />
      </IconButton>
      <span className={classes["zoom"]}>{`${Math.round(zoom * 100)}%`}</span>
      <IconButton label="Zoom in" onClick={() => onZoom(1)}>
        <IconPlus size={16} aria-hidden />
      </IconButton>
      <IconButton label="Fit width" onClick={onFitWidth}>
        <IconArrowAutofitWidth size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
