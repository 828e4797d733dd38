/** What one of each costs. Times are of processors, in microseconds; sizes are in bytes. */
export interface Costs {
  /** A redirect that the cache answers, of the redirect process. */
  redirectHit: number;
  /** What a redirect takes more, of the redirect process, when its route is read. */
  redirectMiss: number;
  /** Of the database, to read a route. */
  routeRead: number;
  /** A click, of the statistics process and of the database. */
  click: number;
  clickWrite: number;
  /** A creation, of all processes together, the database among them. */
  creation: number;
  /** A click on the stream. */
  clickMessage: number;
  /** A link and its route in the database, indexes aside. */
  link: number;
  /** A click in a link's statistics. */
  clickStored: number;
  /** A route in the cache of a process. */
  cachedRoute: number;
  /** A redirect process without a cache, and a statistics process. */
  redirectProcess: number;
  statsProcess: number;
}

/**
 * Measured on the machine that docs/operations/performance.md describes; memory of redirects as docs/operations/sizing.md has it.
 * `--costs file` replaces any of them by your own.
 */
export const measuredCosts: Costs = {
  redirectHit: 24.5,
  redirectMiss: 107,
  routeRead: 45,
  click: 132,
  clickWrite: 225,
  creation: 12_500,
  clickMessage: 148,
  link: 783,
  clickStored: 8.7,
  cachedRoute: 944,
  redirectProcess: 116 * 2 ** 20,
  statsProcess: 211 * 2 ** 20,
};
