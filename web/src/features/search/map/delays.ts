/** After a change on the map, before it goes into the address. */
export const mapPlaceDebounceMs = 500;
/** After the last edit of a layer, before it takes effect. */
export const layerEditDebounceMs = 500;
/** How long a tooltip stays once the mouse has left. */
export const tooltipLingerMs = 750;
