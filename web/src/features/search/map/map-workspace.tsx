import { Button, Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconList } from "@tabler/icons-react";
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useLimits } from "#lib/portal-settings.ts";
import { useResultZone } from "#lib/result-zone.ts";
import { PlaceDialog } from "#parts/area/dialogs.tsx";
import type { Picked } from "#features/search/map/canvas/map-canvas.ts";
import { itemTimes, lastSeenMs, staleColours, stalenessOf } from "#features/search/map/model/item-age.ts";
import { filteredItems, type MapItem, type MapItemList } from "#features/search/map/model/map-items.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { Scrubber } from "#features/search/map/playback/scrubber.tsx";
import { useDialog } from "#ui/open-dialogs.ts";
import { ItemDetails } from "./item-details.tsx";
import { MapExportMenu } from "./export-menu.tsx";
import { ItemPanel } from "./item-panel.tsx";
import { PathLoadError } from "./path-load-error.tsx";
import { PathLayersPanel } from "./path-layers-panel.tsx";
import { PickedText } from "./picked-text.tsx";
import { MapStage } from "./map-stage.tsx";
import { MapTooltip, useMapTooltip } from "./map-tooltip.tsx";
import { useMapFilter, useMapPlace } from "./use-map-place.ts";
import { layersOf, useItemPaths } from "./use-map-paths.ts";
import { useEventTimes, useMapClock } from "./use-map-clock.ts";
import classes from "./map-view.module.css";

/** Of the map, from the left. */
const detailsEndPx = 328;

/** The items of a search as a list and on a map, one beside the other, with one clock for both. */
export function MapWorkspace({ record, list }: { record: SearchRecord; list: MapItemList }) {
  const { datasetDescription: description } = record;
  const mapResults = useMapResults(record);
  const limits = useLimits();
  const zone = useResultZone();
  const [place, changePlace] = useMapPlace(record);
  const { paths, drawn, toggle, toggleAll, setLayers, retry } = useItemPaths(record, list, [place, changePlace]);
  const gapMs = place.gapMs ?? limits.pathGapMs;
  const [itemFilter, setFilter] = useMapFilter(record, [place, changePlace]);
  const filter = useDeferredValue(itemFilter);
  const items = useMemo(() => filteredItems(list.items, filter), [list, filter]);
  const { clock, endMs } = useMapClock(list, paths, mapResults.endTimeMs ?? list.newestMs ?? 0, {
    place: place.clock,
    onPlace: useCallback((clock) => changePlace(() => ({ clock })), [changePlace]),
  });
  const times = useEventTimes(list, paths);
  const seen = useMemo(() => itemTimes(items), [items]);
  const colours = useMemo(() => staleColours(seen, paths, endMs, limits), [seen, paths, endMs, limits]);

  const selected = place.selected === null ? undefined : list.byId.get(place.selected);
  const [target, setTarget] = useState<{ item: MapItem } | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [layered, setLayered] = useState<string | null>(null);
  const [pin, setPin] = useState<{ title: string; place: { lat: number; lng: number }; isOpen: boolean } | null>(null);
  const [tooltip, point] = useMapTooltip();
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const [listOpened, setListOpened] = useState(false);
  const back = useRef<HTMLElement | null>(null);

  const select = useCallback((item: MapItem | null) => changePlace(() => ({ selected: item?.id ?? null })), [changePlace]);
  const onPick = useCallback(
    (picked: Picked | null, how: "point" | "press") => {
      if (how === "point") return point(picked);
      const item = picked === null ? null : (list.byId.get(picked.id) ?? null);
      select(item);
      // Its details are about to cover it.
      if (item && picked?.kind === "item" && picked.x < detailsEndPx) setTarget({ item });
    },
    [list, point, select],
  );
  const keepFocus = () => {
    back.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  };
  const giveFocusBack = () => {
    const to = back.current?.isConnected ? back.current : document.querySelector<HTMLElement>("[role=application] canvas");
    back.current = null;
    requestAnimationFrame(() => to?.focus({ preventScroll: true }));
  };
  const layeredItem = layered === null ? undefined : list.byId.get(layered);
  const lackOf = (item: MapItem) => {
    const path = paths.get(item.id);
    return path?.phase === "visible" && path.lack !== null ? <PathLoadError text={path.lack} onRetry={() => retry(item)} /> : null;
  };
  const shownItem = tooltip && list.byId.get(tooltip.id);

  const panel = (
    <ItemPanel
      list={list}
      items={items}
      isCut={mapResults.isCut}
      filter={itemFilter}
      onFilter={setFilter}
      selected={selected?.id ?? null}
      paths={paths}
      stalenessOf={(timeMs) => stalenessOf(timeMs, endMs, limits)}
      seenMs={(item) => lastSeenMs(item, paths.get(item.id), endMs)}
      endMs={endMs}
      actions={
        <MapExportMenu
          category={description.category.id}
          datasetId={description.datasetId}
          data={{
            fields: list.fields,
            columns: description.schema.columns,
            items,
            tracks: [...paths].flatMap(([itemId, { points }]) => {
              const item = list.byId.get(itemId);
              return item && points ? [{ item, points }] : [];
            }),
          }}
        />
      }
      onSelect={(item) => {
        keepFocus();
        setTarget({ item });
        select(item);
        setListOpened(false);
      }}
      onTogglePath={toggle}
      onToggleAll={toggleAll}
      onHover={setHovered}
    />
  );
  const listDrawer = useDialog({ opened: isPhone && listOpened, onClose: () => setListOpened(false) });

  return (
    <div className={classes["work"]}>
      {isPhone ? (
        <Drawer.Root {...listDrawer} position="bottom" size="85%">
          <Drawer.Overlay />
          <Drawer.Content aria-label="Items">
            <Drawer.Body p={0} h="100%">
              {panel}
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <div className={classes["list"]}>{panel}</div>
      )}
      <MapStage
        icon={description.faMapIcon}
        items={items}
        colours={colours}
        paths={drawn}
        gapMs={gapMs}
        clock={clock}
        selected={selected?.id ?? null}
        hovered={hovered}
        firstView={place.view}
        target={target}
        onMove={(view) => changePlace(() => ({ view }))}
        onPick={onPick}
      >
        {tooltip && shownItem && (
          <MapTooltip at={tooltip}>
            <PickedText
              picked={tooltip}
              item={shownItem}
              path={paths.get(shownItem.id)}
              columns={description.schema.columns}
              gapMs={gapMs}
              endMs={endMs}
              zone={zone}
            />
          </MapTooltip>
        )}
        {selected && !(isPhone && layeredItem) && (
          <ItemDetails
            item={selected}
            description={description}
            path={paths.get(selected.id)}
            lack={layered === selected.id ? null : lackOf(selected)}
            onClose={() => {
              select(null);
              giveFocusBack();
            }}
            onTogglePath={() => toggle(selected)}
            onLayers={() => setLayered(layered === selected.id ? null : selected.id)}
            onPlace={(title, at) => setPin({ title, place: at, isOpen: true })}
          />
        )}
        {layeredItem && (
          <PathLayersPanel
            key={layeredItem.id}
            name={layeredItem.name}
            columns={description.schema.columns}
            layers={layersOf(place, layeredItem.id)}
            onChange={(layers) => setLayers([layeredItem], layers)}
            onUseForAll={
              drawn.length > 1
                ? (layers) =>
                    setLayers(
                      [...paths.keys()].flatMap((itemId) => list.byId.get(itemId) ?? []),
                      layers,
                    )
                : undefined
            }
            lack={lackOf(layeredItem)}
            gapMs={gapMs}
            portalGapMs={limits.pathGapMs}
            onGap={(changed) => changePlace(() => ({ gapMs: changed }))}
            onClose={() => setLayered(null)}
          />
        )}
        <Button
          variant="default"
          className={classes["openItems"] ?? ""}
          leftSection={<IconList size={16} aria-hidden />}
          onClick={() => setListOpened(true)}
        >
          {items.length.toLocaleString("en-US")} items
        </Button>
      </MapStage>
      <Scrubber clock={clock} times={times} zone={zone} />
      {pin && <PlaceDialog opened={pin.isOpen} title={pin.title} place={pin.place} onClose={() => setPin({ ...pin, isOpen: false })} />}
    </div>
  );
}
