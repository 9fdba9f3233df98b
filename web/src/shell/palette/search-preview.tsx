import { noRowsText } from "@fairway/contract/dataset-access";
import { boxText } from "#parts/search-model/cell-filter.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import classes from "./palette.module.css";
import { filterTexts, stateText, timeTexts, totalText } from "#parts/open-searches/search-summary.ts";

/** The conditions of a recent search and its outcome. */
export function SearchPreview({ record }: { record: SearchRecord }) {
  const { datasetDescription, filters, isSample } = record;
  const texts = filterTexts(record);
  const total = datasetDescription.access?.rows === "none" ? noRowsText : totalText(record);
  return (
    <dl className={classes["preview"]}>
      <Row name="Dataset">
        {datasetDescription.category.id}, {datasetDescription.datasetId}
      </Row>
      <Row name="Filters">{texts.length > 0 ? texts.map((text) => <span key={text}>{text}</span>) : isSample ? "Sample" : "None"}</Row>
      {filters.geospatial && <Row name="Area">{filters.geospatial.text}</Row>}
      {filters.within && <Row name="Map cell">{boxText(filters.within.box)}</Row>}
      <Row name="Time range">
        {timeTexts(filters).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </Row>
      <Row name="State">{stateText(record)}</Row>
      {total !== undefined && <Row name="Total">{total}</Row>}
    </dl>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
