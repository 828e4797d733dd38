import type { ClickBatch } from '@tautan/proto';
import { agentOf, type Agent } from './domain/agent.js';
import type { StatsClick } from './domain/click.js';
import { quarterOf, startOfDay } from './domain/quarters.js';
import { dayId, type Subject } from './domain/subject.js';
import type { SubjectKind } from './domain/tally.js';
import { visitorHash } from './domain/visitor-hash.js';
import { utcDay } from '../redirects/domain/visitor.js';

/** A batch and its partition of the stream. */
export interface PartitionBatch {
  batch: ClickBatch;
  partition: number;
}

/** Clicks to add to a day or a quarter hour of a subject. */
export interface Addition {
  kind: SubjectKind;
  workspaceId: string;
  clicks: StatsClick[];
}

/** Returns the distinct workspace ids of the given items. */
export const workspacesOf = (items: Map<string, { workspaceId: string }>): string[] => [
  ...new Set(Array.from(items.values(), ({ workspaceId }) => workspaceId)),
];

/** Maximum length of a key to count by. Names of hosts and cities are shorter. */
const MAX_KEY_LENGTH = 256;

/** Groups the clicks of batches by link, QR code and workspace, and by day. The keys are those of `dayId`. */
export function collectAdditions(batches: PartitionBatch[]): Map<string, Addition> {
  const additions = new Map<string, Addition>();
  for (const each of batches) collectBatch(each, additions);
  return additions;
}

function collectBatch({ batch: { base, texts, clicks }, partition }: PartitionBatch, additions: Map<string, Addition>) {
  const agents: Agent[] = [];
  const hashes: number[] = [];
  const days = new Map<number, string>();
  const addClick = (subject: Subject, workspaceId: string, day: string, click: StatsClick): void => {
    const id = dayId(subject, day);
    const addition = additions.get(id);
    if (addition) addition.clicks.push(click);
    else additions.set(id, { kind: subject.kind, workspaceId, clicks: [click] });
  };
  for (const [offset, link, qr, workspace, verdict, agent, referrer, country, city, visitor, source] of clicks) {
    const at = base + offset;
    const start = startOfDay(at);
    let day = days.get(start);
    if (day === undefined) days.set(start, (day = utcDay(start)));
    const click: StatsClick = {
      quarter: quarterOf(at),
      human: verdict === 'h',
      clicks: 1,
      source: source === 'q' ? 'qr' : 'link',
      country: keyOf(texts[country]!) || 'unknown',
      city: keyOf(texts[city]!),
      ...(agents[agent] ??= agentOf(texts[agent]!)),
      referrer: keyOf(texts[referrer]!) || 'direct',
      link: '',
      visitorHash: (hashes[visitor] ??= visitorHash(texts[visitor]!)),
    };
    const workspaceId = texts[workspace]!;
    // A scan of a standalone code has no link.
    const linkId = link === -1 ? '' : texts[link]!;
    if (linkId) addClick({ kind: 'link', id: linkId }, workspaceId, day, click);
    // Statistics of QR codes are stored like those of links.
    if (qr !== -1) addClick({ kind: 'link', id: texts[qr]! }, workspaceId, day, click);
    addClick({ kind: 'workspace', id: workspaceId, partition }, workspaceId, day, { ...click, link: linkId, city: '' });
  }
}

/** Returns a text as a key: on one line, of bounded length. */
const keyOf = (text: string): string =>
  text.length > MAX_KEY_LENGTH || text.includes('\n') ? text.slice(0, MAX_KEY_LENGTH).replaceAll('\n', ' ') : text;
