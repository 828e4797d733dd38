import type { ClickBatch } from '@tautan/proto';
import { agentOf, type Agent } from './domain/agent.js';
import type { StatsClick } from './domain/click.js';
import { quarterOf, startOfDay } from './domain/quarters.js';
import { dayId, type Subject } from './domain/subject.js';
import type { SubjectKind } from './domain/tally.js';
import { visitorMark } from './domain/visitor-mark.js';
import { utcDay } from '../redirects/domain/visitor.js';

/** A batch, and the partition of the stream that it came by. */
export interface PartitionBatch {
  batch: ClickBatch;
  partition: number;
}

/** What is to be added to one subject's day. */
export interface Addition {
  kind: SubjectKind;
  workspaceId: string;
  clicks: StatsClick[];
}

/** The workspaces that additions, or periods, are of. */
export const workspacesOf = (owned: Map<string, { workspaceId: string }>): string[] => [
  ...new Set(Array.from(owned.values(), ({ workspaceId }) => workspaceId)),
];

/** Longer texts are nobody's host or city. */
const MAX_TEXT = 256;

/** What batches add to the days of links, QR codes and workspaces, by the days' ids. */
export function gather(batches: PartitionBatch[]): Map<string, Addition> {
  const additions = new Map<string, Addition>();
  for (const each of batches) gatherBatch(each, additions);
  return additions;
}

function gatherBatch({ batch: { base, texts, clicks }, partition }: PartitionBatch, additions: Map<string, Addition>) {
  const agents: Agent[] = [];
  const marks: number[] = [];
  const days = new Map<number, string>();
  const tell = (subject: Subject, workspaceId: string, day: string, click: StatsClick): void => {
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
      country: plain(texts[country]!) || 'unknown',
      city: plain(texts[city]!),
      ...(agents[agent] ??= agentOf(texts[agent]!)),
      referrer: plain(texts[referrer]!) || 'direct',
      link: '',
      mark: (marks[visitor] ??= visitorMark(texts[visitor]!)),
    };
    const workspaceId = texts[workspace]!;
    // The scan of a code that stands alone is no link's.
    const linkId = link === -1 ? '' : texts[link]!;
    if (linkId) tell({ kind: 'link', id: linkId }, workspaceId, day, click);
    if (qr !== -1) tell({ kind: 'link', id: texts[qr]! }, workspaceId, day, click);
    tell({ kind: 'workspace', id: workspaceId, partition }, workspaceId, day, { ...click, link: linkId, city: '' });
  }
}

/** A text as a key: of one line, and not beyond measure. */
const plain = (text: string): string =>
  text.length > MAX_TEXT || text.includes('\n') ? text.slice(0, MAX_TEXT).replaceAll('\n', ' ') : text;
