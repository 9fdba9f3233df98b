import type { DatasetRef } from "@fairway/contract/datasets";
import { IconDots } from "#ui/icons/dots.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import CardMenu from "./card-menu.tsx";
import classes from "./facts.module.css";
import { FavoriteStar } from "./favorite-star.tsx";

interface Props {
  dataset: DatasetRef;
  isFavorite: boolean;
  onToggleFavorite: (dataset: DatasetRef) => void;
}

/** The star and the menu of a dataset's card. */
export function CardActions({ dataset, isFavorite, onToggleFavorite }: Props) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(isMenuOpen, setMenuOpen);
  return (
    <div className={classes["cardActions"]}>
      <FavoriteStar datasetId={dataset.datasetId} isFavorite={isFavorite} onToggle={() => onToggleFavorite(dataset)} />
      <IconButton label={`More about ${dataset.datasetId}`} {...buttonProps}>
        <IconDots size={16} aria-hidden />
      </IconButton>
      {menuProps && <CardMenu {...menuProps} dataset={dataset} />}
    </div>
  );
}
