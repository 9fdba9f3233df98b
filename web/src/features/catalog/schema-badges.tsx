import { IconMapPin } from "#ui/icons/map-pin.ts";
import { IconWorld } from "#ui/icons/world.ts";
import { Badge } from "#ui/badge.tsx";

interface Props {
  containsLocationData: boolean;
  supportsMapResults: boolean;
}

export function SchemaBadges({ containsLocationData, supportsMapResults }: Props) {
  return (
    <>
      {supportsMapResults && <Badge icon={IconWorld}>Map View</Badge>}
      {containsLocationData && <Badge icon={IconMapPin}>Location</Badge>}
    </>
  );
}
