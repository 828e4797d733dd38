/** Unit costs. Times are CPU time in microseconds, sizes are in bytes. */
export interface Costs {
  /** CPU time of the redirect process for a cache hit. */
  redirectHit: number;
  /** Additional CPU time of the redirect process for a cache miss. */
  redirectMiss: number;
  /** CPU time of the database to read a route. */
  routeRead: number;
  /** CPU time of the statistics process to apply a click. */
  click: number;
  /** CPU time of the database to apply a click. */
  clickWrite: number;
  /** CPU time of all processes, including the database, to create a link. */
  creation: number;
  /** Size of a click in the stream. */
  clickMessage: number;
  /** Size of a link and its route in the database, without indexes. */
  link: number;
  /** Size of a click in the statistics of a link. */
  clickStored: number;
  /** Size of a cached route in memory. */
  cachedRoute: number;
  /** Memory of a redirect process with an empty cache. */
  redirectProcess: number;
  /** Memory of a statistics process. */
  statsProcess: number;
}

/**
 * Measured on the machine described in docs/operations/performance.md. The memory of redirect processes is from
 * docs/operations/sizing.md. `--costs <file>` overrides these values.
 */
export const measuredCosts: Costs = {
  redirectHit: 16.3,
  redirectMiss: 101,
  routeRead: 35,
  click: 132,
  clickWrite: 225,
  creation: 1_800,
  clickMessage: 148,
  link: 783,
  clickStored: 8.7,
  cachedRoute: 944,
  redirectProcess: 116 * 2 ** 20,
  statsProcess: 211 * 2 ** 20,
};
