import type { Point } from "@fairway/contract/areas";
import { Button, Group } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { Marker } from "maplibre-gl";
import { useEffect, useRef, useState } from "react";
import { copyText } from "#lib/text/copy.ts";
import { logFailure } from "#lib/browser/log.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { openMap } from "./basemap.ts";
import { MapLoading } from "./map-loading.tsx";
import classes from "./area.module.css";

const pinZoom = 11;

/** Coordinates of a row as a pin on a map. */
export function LocationDialog({ opened, title, point, onClose }: { opened: boolean; title: string; point: Point; onClose: () => void }) {
  const text = `${point.lat}, ${point.lng}`;
  const copy = async () => {
    if (await copyText(text)) toastSuccess("Coordinates copied", 1200);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={712}>
      <PinMap point={point} />
      <Group justify="space-between" mt="lg">
        <span>{text}</span>
        <Group gap="sm">
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Group>
    </Dialog>
  );
}

function PinMap({ point: { lat, lng } }: { point: Point }) {
  const container = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    openMap(element, [lng, lat, lng, lat], pinZoom).then(
      (map) => {
        if (!isOpen) return map.remove();
        const color = getComputedStyle(document.documentElement).getPropertyValue("--path").trim();
        new Marker({ color }).setLngLat([lng, lat]).addTo(map);
        map.on("zoom", () => setZoom(map.getZoom()));
        setZoom(map.getZoom());
        close = () => map.remove();
      },
      (error: unknown) => {
        logFailure("The map cannot be shown", error);
        if (isOpen) setFailed(true);
      },
    );
    return () => {
      isOpen = false;
      close();
    };
  }, [lat, lng]);
  return (
    <div ref={container} className={classes["map"]} role="application" aria-label="Location" data-zoom={zoom ?? undefined}>
      {zoom === null && !failed && <MapLoading />}
      {failed && <p className={classes["failed"]}>The map cannot be shown in this browser.</p>}
    </div>
  );
}
