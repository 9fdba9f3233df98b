import { columnTitle, columnTypeCode, columnTypeNameOf } from "@fairway/contract/columns";
import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { DatasetRef, SchemaColumn } from "@fairway/contract/datasets";
import { Flex } from "@mantine/core";
import { memo } from "react";
import type { ShownForm } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { Breakable } from "#ui/breakable.tsx";
import { Highlighted } from "#ui/highlighted.tsx";
import { type DraftMode, type Edit, isConflict, storedText } from "../descriptions/description-draft.ts";
import DescriptionField from "../descriptions/description-field.tsx";
import { DescriptionText } from "../descriptions/description-text.tsx";
import { Suggestions } from "../suggestions/suggestions.tsx";
import { ColumnLink } from "./column-link.tsx";
import ColumnProfile from "./column-profile.tsx";
import classes from "./schema.module.css";

interface Props {
  dataset: DatasetRef;
  column: SchemaColumn;
  coarse: ShownForm | undefined;
  /** Pattern of the highlighted text. It must not change between renders. */
  find: RegExp | null;
  /** The layer that is edited; null while none is. */
  mode: DraftMode | null;
  /** The change of this column's description in that layer. */
  edit: Edit | undefined;
  /** Null drops the change. It must not change between renders. */
  onEdit: (column: SchemaColumn, text: string | null) => void;
  /** Null for datasets that have no profile. */
  profile: ProfiledColumn | null | undefined;
}

/** The cells of a column. Rendered again only if its own props change: a key typed into one row must not render the others. */
export const SchemaRow = memo(function SchemaRow({ dataset, column, coarse, find, mode, edit, onEdit, profile }: Props) {
  const layer = (one: DraftMode) => (
    <LayerCell column={column} find={find} layer={one} isEdited={mode === one} isEditing={mode !== null} edit={edit} onEdit={onEdit} />
  );
  // Times are shown as such, whatever unit they are stored in.
  const isTime = column.type === columnTypeCode.TIMESTAMP_SECONDS || column.type === columnTypeCode.TIMESTAMP_MILLS;
  const unit = isTime ? "" : (column.unit ?? "");
  return (
    <>
      {/* Named without the link in it. */}
      <div role="rowheader" aria-label={`${nameText(column)} ${columnTypeNameOf(column.type)}${unit === "" ? "" : `, ${unit}`}`}>
        <Flex gap={2} align="baseline">
          <b>
            <Found text={columnTitle(column)} find={find} />
          </b>
          <CoarseMark form={coarse} />
        </Flex>
        {column.label !== undefined && (
          <code className={classes["type"]}>
            <Found text={column.name} find={find} />
          </code>
        )}
        <span className={classes["type"]}>
          {columnTypeNameOf(column.type)}
          {unit !== "" && (
            <>
              {", "}
              <Highlighted text={unit} find={find} />
            </>
          )}
        </span>
        <ColumnLink dataset={dataset} name={column.name} />
      </div>
      <div role="cell" data-layer="System">
        <DescriptionText text={column.description} find={find} />
      </div>
      {layer("community")}
      {layer("private")}
      {profile !== null && (
        <div role="cell" data-layer="Profile">
          {profile ? <ColumnProfile profile={profile} day={column.day} /> : <span data-empty />}
        </div>
      )}
    </>
  );
});

/** `Delay at departure (dep_delay)`. */
const nameText = ({ name, label }: SchemaColumn): string => (label === undefined ? name : `${label} (${name})`);

const Found = ({ text, find }: { text: string; find: RegExp | null }) =>
  find === null ? <Breakable text={text} /> : <Highlighted text={text} find={find} />;

interface LayerCellProps extends Pick<Props, "column" | "find" | "edit" | "onEdit"> {
  layer: DraftMode;
  isEdited: boolean;
  /** This layer or the other. */
  isEditing: boolean;
}

function LayerCell({ column, find, layer, isEdited, isEditing, edit, onEdit }: LayerCellProps) {
  const { name } = column;
  const stored = storedText({ mode: layer }, column);
  return (
    <div role="cell" data-layer={layer === "community" ? "Community" : "Private"}>
      {isEdited ? (
        <DescriptionField
          label={`${layer === "community" ? "Community" : "Private"} description of ${name}`}
          placeholder={layer === "community" ? `Describe ${name} for everyone` : `Describe ${name} for yourself`}
          maxLength={5_000}
          stored={stored}
          text={edit?.text ?? stored}
          isConflict={isConflict(edit, stored)}
          onChange={(text) => onEdit(column, text)}
        />
      ) : (
        <DescriptionText text={stored} find={find} />
      )}
      {layer === "community" && !isEditing && <Suggestions columnName={name} stored={stored} />}
    </div>
  );
}
