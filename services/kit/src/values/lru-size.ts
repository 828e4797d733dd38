/**
 * Returns the options of an `LRUCache` of at most `count` entries that allocates memory as entries are added. The
 * option `max` would allocate memory for all entries at once: up to 28 bytes each, or 44 with a time to live.
 */
export const maxEntries = (count: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: count,
  sizeCalculation: () => 1,
});
