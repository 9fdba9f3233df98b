import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether an element has come into view, or nearly; once it has, it stays so. */
export function useIsSeen(): { frameRef: RefObject<HTMLElement | null>; isSeen: boolean } {
  const frameRef = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = frameRef.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: "100px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frameRef, isSeen };
}
