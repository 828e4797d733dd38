import { KeyCounts, type KeyCountsState } from './key-counts.js';
import { QUARTERS } from './quarters.js';
import { VisitorSketch } from './visitor-sketch.js';

/** The dimensions by which clicks of a link (or QR code) and of a workspace are counted. */
export const linkDimensions = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;
export const workspaceDimensions = ['countries', 'devices', 'referrers', 'sources', 'links'] as const;
export type Dimension = (typeof linkDimensions)[number] | (typeof workspaceDimensions)[number];

/**
 * Capacity of the `KeyCounts` of each dimension. It determines how many keys are kept, and the maximum error of their
 * counts.
 */
const KEY_CAPACITY: Record<'link' | 'workspace', number> = { link: 256, workspace: 64 };

/** `link`: a link or QR code; `workspace`: a workspace within one partition of clicks. */
export type SubjectKind = 'link' | 'workspace';

export interface TallyState {
  clicks: number;
  bots: number;
  visitors: Uint8Array;
  by: Partial<Record<Dimension, KeyCountsState>>;
  /** The bytes of `Tally.quarters`; absent if the tally covers a single quarter hour. */
  quarters?: Uint8Array;
}

/** All counts of a subject over a period. */
export class Tally {
  clicks = 0;
  bots = 0;
  visitors = new VisitorSketch();
  readonly by = new Map<Dimension, KeyCounts>();
  /** Clicks in the first 96 elements, bots in the others. */
  readonly quarters = new Uint32Array(2 * QUARTERS);

  /** `capacity`: that of the KeyCounts of each dimension; by default the capacity of stored tallies. */
  constructor(
    readonly kind: SubjectKind,
    capacity = KEY_CAPACITY[kind],
  ) {
    for (const dimension of dimensionsOf(kind)) this.by.set(dimension, new KeyCounts(capacity));
  }

  static from(kind: SubjectKind, state: TallyState): Tally {
    const tally = new Tally(kind);
    tally.clicks = state.clicks;
    tally.bots = state.bots;
    tally.visitors = VisitorSketch.from(state.visitors);
    for (const [dimension, counts] of Object.entries(state.by))
      tally.by.set(dimension as Dimension, KeyCounts.from(counts, KEY_CAPACITY[kind]));
    if (state.quarters) new Uint8Array(tally.quarters.buffer).set(state.quarters);
    return tally;
  }

  /** Returns the stored form, with or without the counts of quarter hours. */
  state(withQuarters: boolean): TallyState {
    const { clicks, bots } = this;
    const by = Object.fromEntries([...this.by].map(([dimension, counts]) => [dimension, counts.state()]));
    const quarters = withQuarters ? { quarters: new Uint8Array(this.quarters.buffer) } : {};
    return { clicks, bots, visitors: this.visitors.bytes(), by, ...quarters };
  }

  /** Counts human or bot clicks in a quarter hour. */
  count(quarter: number, human: boolean, clicks: number): void {
    if (human) this.clicks += clicks;
    else this.bots += clicks;
    this.quarters[human ? quarter : QUARTERS + quarter]! += clicks;
  }

  /** Counts clicks by a key of a dimension, if the tally has the dimension and the key is not empty (unknown). */
  countBy(dimension: Dimension, key: string, clicks: number): void {
    if (key !== '') this.by.get(dimension)?.add(key, clicks);
  }

  /** Adds another tally, except its visitors. */
  merge(from: Tally): void {
    this.clicks += from.clicks;
    this.bots += from.bots;
    for (const [dimension, counts] of from.by) this.by.get(dimension)?.merge(counts);
    for (let i = 0; i < this.quarters.length; i += 1) this.quarters[i]! += from.quarters[i]!;
  }
}

const dimensionsOf = (kind: SubjectKind): readonly Dimension[] =>
  kind === 'link' ? linkDimensions : workspaceDimensions;
