import { isMoment, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { coordinatePair } from "@fairway/contract/coordinate-names";
import { ownValue } from "@fairway/contract/records";
import { Button, Checkbox, NativeSelect } from "@mantine/core";
import { useId, useState } from "react";
import { zoneOptions } from "#parts/reading/reading-words.ts";
import { FaIconImage } from "#ui/fa-icon-image.tsx";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import { type DatasetDraft, plainColumns } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { Fields, ChoiceField, columnOptions, FormSection, TextField } from "./form-fields.tsx";
import { useLookedUpColumns } from "./looked-up-columns.ts";
import { FirstLookFields } from "./first-look-fields.tsx";
import { OrderField } from "./order-field.tsx";
import { isPlace, withItem, withLocation, withNewPlace, withTime } from "./place-draft.ts";
import { RowsPicture } from "./rows-picture.tsx";
import classes from "./dataset-form.module.css";

/** When and where rows are, what they are called, and in which order they come. */
export function PlaceSection() {
  const { draft, update } = useDatasetForm();
  const lookedUp = useLookedUpColumns();
  const plain = [...plainColumns(draft), ...lookedUp];
  const all = columnOptions([...draft.schema.columns, ...lookedUp]);
  const { filterSupport, mapSupport, temporalField, locationField } = draft;
  const setSupport = (change: Partial<DatasetDraft["filterSupport"]>) =>
    update((now) => ({ filterSupport: { ...now.filterSupport, ...change } }));
  const hasMapParts = mapSupport !== null || (temporalField !== null && locationField !== null);
  return (
    <FormSection id="place">
      <div className={classes["beside"]}>
        <Fields>
          <div className={classes["pair"]}>
            <ChoiceField
              path={["temporalField"]}
              label="Time"
              none="None"
              value={temporalField}
              options={columnOptions(plain.filter(({ type }) => isTimestamp(type)))}
              onChoice={(name) => update((now) => withTime(now, name))}
            />
            <TimeZoneField />
          </div>
          <Checkbox
            label="People can search by a range of time"
            disabled={temporalField === null}
            checked={filterSupport.supportsTimeRange}
            onChange={(event) => setSupport({ supportsTimeRange: event.currentTarget.checked })}
          />
          <LocationField />
          <Checkbox
            label="People can search by areas on a map"
            disabled={locationField === null}
            checked={filterSupport.supportsGeospatial}
            onChange={(event) => setSupport({ supportsGeospatial: event.currentTarget.checked })}
          />
          <ChoiceField
            path={["mapSupport", "groupItemField"]}
            label="Item"
            description={
              hasMapParts
                ? "Rows with the same value are one item on the map; with several times, it leaves a track."
                : "A map needs a time and a location."
            }
            none="No map"
            disabled={!hasMapParts}
            value={mapSupport?.groupItemField ?? null}
            options={columnOptions(plain)}
            onChoice={(name) => update((now) => withItem(now, name))}
          />
          {(mapSupport !== null || locationField !== null || (draft.mapView ?? null) !== null) && <FirstLookFields />}
          <div className={classes["pair"]}>
            <ChoiceField
              path={["titleField"]}
              label="Title"
              none="None"
              value={draft.titleField}
              options={all}
              onChoice={(titleField) => update(() => ({ titleField }))}
            />
            <ChoiceField
              path={["subtitleField"]}
              label="Subtitle"
              none="None"
              value={draft.subtitleField}
              options={all}
              onChoice={(subtitleField) => update(() => ({ subtitleField }))}
            />
            <TextField
              path={["faMapIcon"]}
              label="Icon"
              description="A Font Awesome icon, such as plane"
              value={draft.faMapIcon ?? ""}
              onText={(text) => update(() => ({ faMapIcon: text === "" ? null : text }))}
              rightSection={<FaIconImage name={draft.faMapIcon ?? ""} size={16} fallback={IconMapPin} />}
            />
          </div>
          <OrderField />
        </Fields>
        <RowsPicture />
      </div>
    </FormSection>
  );
}

/** The zone of times that name none, which only text files have. */
function TimeZoneField() {
  const { draft, reading } = useDatasetForm();
  const column = draft.schema.columns.find(({ name }) => name === draft.temporalField);
  if (column === undefined) return <span />;
  const read = reading?.reading?.columns.find(({ name }) => name === column.name);
  const zone = isMoment(column) ? (read?.zone ?? null) : null;
  if (zone === null || !reading) {
    return (
      <p className={classes["about"]} data-beside>
        {isMoment(column) ? "Its times are moments in UTC, or name their offset." : "Its times are whole days, the same in every zone."}
      </p>
    );
  }
  const { choices, choose } = reading;
  return (
    <NativeSelect
      label="Zone"
      description="Of times without an offset"
      value={zone}
      data={zoneOptions(zone)}
      onChange={({ currentTarget: { value } }) =>
        choose({
          ...choices,
          columns: { ...choices.columns, [column.name]: { ...ownValue(choices.columns ?? {}, column.name), zone: value } },
        })
      }
    />
  );
}

/** A column of places, or a new one of latitude and longitude. */
function LocationField() {
  const { draft, update } = useDatasetForm();
  const numbers = [...plainColumns(draft), ...useLookedUpColumns()].filter(({ type }) => isNumeric(type));
  const [isNew, setNew] = useState(false);
  const [latitude, setLatitude] = useState<string | null>(null);
  const [longitude, setLongitude] = useState<string | null>(null);
  const id = useId();
  const open = () => {
    const pair = coordinatePair(numbers.map(({ name }) => name));
    setLatitude(pair?.latitude ?? null);
    setLongitude(pair?.longitude ?? null);
    setNew(true);
  };
  return (
    <div>
      <ChoiceField
        path={["locationField"]}
        label="Location"
        none="None"
        value={draft.locationField}
        options={columnOptions(draft.schema.columns.filter(isPlace))}
        onChoice={(name) => update((now) => withLocation(now, name))}
      />
      {!isNew && numbers.length > 1 && (
        <Button variant="subtle" size="compact-sm" px={0} mt="xs" onClick={open}>
          Combine latitude and longitude
        </Button>
      )}
      {isNew && (
        <div role="group" aria-label="New location" className={classes["joined"]} id={id}>
          <ChoiceField path={[id, "latitude"]} label="Latitude" value={latitude} options={columnOptions(numbers)} onChoice={setLatitude} />
          <ChoiceField
            path={[id, "longitude"]}
            label="Longitude"
            value={longitude}
            options={columnOptions(numbers)}
            onChoice={setLongitude}
          />
          <Button
            variant="default"
            disabled={latitude === null || longitude === null || latitude === longitude}
            onClick={() => {
              if (latitude === null || longitude === null) return;
              update((now) => withNewPlace(now, latitude, longitude));
              setNew(false);
            }}
          >
            Use as location
          </Button>
        </div>
      )}
    </div>
  );
}
