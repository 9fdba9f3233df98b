import { IconInfoCircle } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { findFaIcon } from "#ui/fa-icon.ts";

const iconQuery = (name: string) =>
  queryOptions({ queryKey: ["icon", name], queryFn: () => findFaIcon(name), staleTime: Number.POSITIVE_INFINITY, retry: false });

/** A solid Font Awesome icon by name; the default notice icon while it loads and for unknown names. */
export function NoticeIcon({ name, size }: { name: string; size: number }) {
  const { data } = useQuery(iconQuery(name));
  if (!data) return <IconInfoCircle size={size} stroke={1.6} aria-hidden />;
  return (
    <svg width={size} height={size} viewBox={`0 0 ${data.width} ${data.height}`} fill="currentColor" aria-hidden data-icon={name}>
      <path d={data.path} />
    </svg>
  );
}
