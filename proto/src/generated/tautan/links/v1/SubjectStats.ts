// Original file: links.proto

import type { StatsTotals as _tautan_links_v1_StatsTotals, StatsTotals__Output as _tautan_links_v1_StatsTotals__Output } from '../../../tautan/links/v1/StatsTotals.js';
import type { StatsPoint as _tautan_links_v1_StatsPoint, StatsPoint__Output as _tautan_links_v1_StatsPoint__Output } from '../../../tautan/links/v1/StatsPoint.js';
import type { KeyClicks as _tautan_links_v1_KeyClicks, KeyClicks__Output as _tautan_links_v1_KeyClicks__Output } from '../../../tautan/links/v1/KeyClicks.js';
import type { StatsSeries as _tautan_links_v1_StatsSeries, StatsSeries__Output as _tautan_links_v1_StatsSeries__Output } from '../../../tautan/links/v1/StatsSeries.js';

export interface SubjectStats {
  'from'?: (string);
  'to'?: (string);
  'granularity'?: (string);
  'tz'?: (string);
  'totals'?: (_tautan_links_v1_StatsTotals | null);
  'timeSeries'?: (_tautan_links_v1_StatsPoint)[];
  'countries'?: (_tautan_links_v1_KeyClicks)[];
  'cities'?: (_tautan_links_v1_KeyClicks)[];
  'devices'?: (_tautan_links_v1_KeyClicks)[];
  'browsers'?: (_tautan_links_v1_KeyClicks)[];
  'os'?: (_tautan_links_v1_KeyClicks)[];
  'referrers'?: (_tautan_links_v1_KeyClicks)[];
  'sources'?: (_tautan_links_v1_KeyClicks)[];
  'series'?: (_tautan_links_v1_StatsSeries | null);
}

export interface SubjectStats__Output {
  'from': (string);
  'to': (string);
  'granularity': (string);
  'tz': (string);
  'totals': (_tautan_links_v1_StatsTotals__Output | null);
  'timeSeries': (_tautan_links_v1_StatsPoint__Output)[];
  'countries': (_tautan_links_v1_KeyClicks__Output)[];
  'cities': (_tautan_links_v1_KeyClicks__Output)[];
  'devices': (_tautan_links_v1_KeyClicks__Output)[];
  'browsers': (_tautan_links_v1_KeyClicks__Output)[];
  'os': (_tautan_links_v1_KeyClicks__Output)[];
  'referrers': (_tautan_links_v1_KeyClicks__Output)[];
  'sources': (_tautan_links_v1_KeyClicks__Output)[];
  'series': (_tautan_links_v1_StatsSeries__Output | null);
}
