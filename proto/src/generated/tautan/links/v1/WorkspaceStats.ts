// Original file: links.proto

import type { WorkspaceTotals as _tautan_links_v1_WorkspaceTotals, WorkspaceTotals__Output as _tautan_links_v1_WorkspaceTotals__Output } from '../../../tautan/links/v1/WorkspaceTotals.js';
import type { StatsPoint as _tautan_links_v1_StatsPoint, StatsPoint__Output as _tautan_links_v1_StatsPoint__Output } from '../../../tautan/links/v1/StatsPoint.js';
import type { LinkClicks as _tautan_links_v1_LinkClicks, LinkClicks__Output as _tautan_links_v1_LinkClicks__Output } from '../../../tautan/links/v1/LinkClicks.js';
import type { KeyClicks as _tautan_links_v1_KeyClicks, KeyClicks__Output as _tautan_links_v1_KeyClicks__Output } from '../../../tautan/links/v1/KeyClicks.js';
import type { StatsSeries as _tautan_links_v1_StatsSeries, StatsSeries__Output as _tautan_links_v1_StatsSeries__Output } from '../../../tautan/links/v1/StatsSeries.js';

export interface WorkspaceStats {
  'from'?: (string);
  'to'?: (string);
  'totals'?: (_tautan_links_v1_WorkspaceTotals | null);
  'timeSeries'?: (_tautan_links_v1_StatsPoint)[];
  'topLinks'?: (_tautan_links_v1_LinkClicks)[];
  'countries'?: (_tautan_links_v1_KeyClicks)[];
  'devices'?: (_tautan_links_v1_KeyClicks)[];
  'referrers'?: (_tautan_links_v1_KeyClicks)[];
  'series'?: (_tautan_links_v1_StatsSeries | null);
}

export interface WorkspaceStats__Output {
  'from': (string);
  'to': (string);
  'totals': (_tautan_links_v1_WorkspaceTotals__Output | null);
  'timeSeries': (_tautan_links_v1_StatsPoint__Output)[];
  'topLinks': (_tautan_links_v1_LinkClicks__Output)[];
  'countries': (_tautan_links_v1_KeyClicks__Output)[];
  'devices': (_tautan_links_v1_KeyClicks__Output)[];
  'referrers': (_tautan_links_v1_KeyClicks__Output)[];
  'series': (_tautan_links_v1_StatsSeries__Output | null);
}
