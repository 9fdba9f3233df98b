import type { IconComponent } from "./icons/icon.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { findFaIcon } from "./fa-icon.ts";

const iconQuery = (name: string) =>
  queryOptions({ queryKey: ["icon", name], queryFn: () => findFaIcon(name), staleTime: Number.POSITIVE_INFINITY, retry: false });

interface FaIconImageProps {
  name: string;
  size: number;
  /** Shown while the icon loads and for unknown names. */
  fallback: IconComponent;
}

/** A solid Font Awesome icon by name. */
export function FaIconImage({ name, size, fallback: Fallback }: FaIconImageProps) {
  const { data } = useQuery(iconQuery(name));
  if (!data) return <Fallback size={size} stroke={1.6} aria-hidden />;
  return (
    <svg width={size} height={size} viewBox={`0 0 ${data.width} ${data.height}`} fill="currentColor" aria-hidden data-icon={name}>
      <path d={data.path} />
    </svg>
  );
}
