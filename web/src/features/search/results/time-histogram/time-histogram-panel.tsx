import { isTimestamp } from "@fairway/contract/columns";
import { useLocalStorage } from "@mantine/hooks";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { useQuery } from "@tanstack/react-query";
import type { SearchRecord, TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { timeDistributionQuery } from "./queries.ts";
import classes from "./time-histogram.module.css";
import TimeHistogram from "./time-histogram.tsx";

interface Props {
  record: SearchRecord;
  onRange: (range: TimeRangeFilter) => void;
}

/** The rows of a search over time, above the table. Absent if the dataset has no times, or if they cannot be counted. */
export function TimeHistogramPanel(props: Props) {
  const { isSample, datasetDescription: description, isSearching, results } = props.record;
  const { temporalField, schema, assists, filterSupport } = description;
  const column = schema.columns.find(({ name }) => name === temporalField);
  const hasTimes = !isSample && column !== undefined && isTimestamp(column.type);
  const hasRows = isSearching || (results !== null && results.length > 0);
  if (!hasTimes || !hasRows || !assists.includes("PROFILE") || !filterSupport.supportsTimeRange) return null;
  return <Panel {...props} />;
}

function Panel({ record, onRange }: Props) {
  const [isOpen, setOpen] = useLocalStorage({ key: "fairway.results.time", defaultValue: true, getInitialValueInEffect: false });
  const query = timeDistributionQuery(record);
  const { data, isError, isPlaceholderData } = useQuery({ ...query, enabled: query.enabled === true && isOpen });
  if (isError || (data !== undefined && data.buckets.length < 2)) return null;
  const isCurrent = data !== undefined && !isPlaceholderData;
  return (
    <section className={classes["panel"]} aria-label="Rows over time" data-open={isOpen || undefined} data-tour="rows">
      <button type="button" className={classes["toggle"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden />
        Rows over time
      </button>
      {isOpen && data && (
        <TimeHistogram
          key={JSON.stringify([data.unit, data.size, data.buckets[0]?.startMs, data.buckets.length])}
          distribution={data}
          range={record.filters.timeRange}
          isCurrent={isCurrent}
          onRange={onRange}
        />
      )}
    </section>
  );
}
