import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import { FaIconImage } from "#ui/fa-icon-image.tsx";

/** The icon of a notice; the default notice icon while it loads and for unknown names. */
export function NoticeIcon(props: { name: string; size: number }) {
  return <FaIconImage {...props} fallback={IconInfoCircle} />;
}
