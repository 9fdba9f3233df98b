import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./dataset-profile.module.css";

/**
 * The place of a small picture, which is rendered once it comes into view. Pictures are decorative, so they have no text for
 * assistive technology. A wide one fills the width of its place.
 */
export function PictureFrame({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame} className={classes["frame"]} data-wide={isWide || undefined} aria-hidden>
      {isSeen && children}
    </div>
  );
}
