import type { DatasetSchema } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { useState } from "react";
import SampleRows from "./sample-rows.tsx";
import classes from "./schema.module.css";

/** Sample rows, which are loaded when the section is opened. */
export function SampleSection({ schema }: { schema: DatasetSchema }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes["section"]}>
      <h2>
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          leftSection={isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          Sample rows
        </Button>
      </h2>
      {isOpen && <SampleRows schema={schema} />}
    </div>
  );
}
