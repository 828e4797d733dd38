import { KeyCounts, type KeyCountsState } from './key-counts.js';
import { QUARTERS } from './quarters.js';
import { VisitorSketch } from './visitor-sketch.js';

/** What clicks are told apart by. */
export const linkDimensions = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;
export const workspaceDimensions = ['countries', 'devices', 'referrers', 'sources', 'links'] as const;
export type Dimension = (typeof linkDimensions)[number] | (typeof workspaceDimensions)[number];

/** Keys kept of each dimension; see KeyCounts for what this bounds. */
const KEPT: Record<'link' | 'workspace', number> = { link: 256, workspace: 64 };

/** Whose clicks: a link's or a QR code's, or all of a workspace's in one partition. */
export type SubjectKind = 'link' | 'workspace';

export interface TallyState {
  clicks: number;
  bots: number;
  visitors: Uint8Array;
  by: Partial<Record<Dimension, KeyCountsState>>;
  /** Clicks, then bots, of each quarter of an hour of the day; absent where there is one quarter alone. */
  quarters?: Uint8Array;
}

/** Everything that is counted of a subject over some time. */
export class Tally {
  clicks = 0;
  bots = 0;
  visitors = new VisitorSketch();
  readonly by = new Map<Dimension, KeyCounts>();
  /** Clicks in the first 96, bots in the others. */
  readonly quarters = new Uint32Array(2 * QUARTERS);

  /** `kept`: keys kept of each dimension, where it is another number than a stored tally's. */
  constructor(
    readonly kind: SubjectKind,
    kept = KEPT[kind],
  ) {
    for (const dimension of dimensionsOf(kind)) this.by.set(dimension, new KeyCounts(kept));
  }

  static from(kind: SubjectKind, state: TallyState): Tally {
    const tally = new Tally(kind);
    tally.clicks = state.clicks;
    tally.bots = state.bots;
    tally.visitors = VisitorSketch.from(state.visitors);
    for (const [dimension, counts] of Object.entries(state.by))
      tally.by.set(dimension as Dimension, KeyCounts.from(counts, KEPT[kind]));
    if (state.quarters) new Uint8Array(tally.quarters.buffer).set(state.quarters);
    return tally;
  }

  /** With or without what each quarter of an hour had. */
  state(withQuarters: boolean): TallyState {
    const { clicks, bots } = this;
    const by = Object.fromEntries([...this.by].map(([dimension, counts]) => [dimension, counts.state()]));
    const quarters = withQuarters ? { quarters: new Uint8Array(this.quarters.buffer) } : {};
    return { clicks, bots, visitors: this.visitors.bytes(), by, ...quarters };
  }

  /** Counts clicks of humans, or bots, in a quarter of an hour. */
  count(quarter: number, human: boolean, clicks: number): void {
    if (human) this.clicks += clicks;
    else this.bots += clicks;
    this.quarters[human ? quarter : QUARTERS + quarter]! += clicks;
  }

  /** Counts clicks by a key of a dimension, where it is one of this tally's and the key is known. */
  countBy(dimension: Dimension, key: string, clicks: number): void {
    if (key !== '') this.by.get(dimension)?.add(key, clicks);
  }

  /** Adds what another counted, but for its visitors. */
  merge(from: Tally): void {
    this.clicks += from.clicks;
    this.bots += from.bots;
    for (const [dimension, counts] of from.by) this.by.get(dimension)?.merge(counts);
    for (let i = 0; i < this.quarters.length; i += 1) this.quarters[i]! += from.quarters[i]!;
  }
}

const dimensionsOf = (kind: SubjectKind): readonly Dimension[] =>
  kind === 'link' ? linkDimensions : workspaceDimensions;
