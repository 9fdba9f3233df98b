import { IconMapPin, IconWorld, type TablerIcon } from "@tabler/icons-react";
import classes from "./schema-badges.module.css";

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

function Badge({ icon: Icon, children }: { icon: TablerIcon; children: string }) {
  return (
    <span className={classes["badge"]}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {children}
    </span>
  );
}
