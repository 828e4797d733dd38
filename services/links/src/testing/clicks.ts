import { newUlid } from '@tautan/kit';
import { clickPartition, type ClickBatch } from '@tautan/proto';
import type { Retention } from '../stats/domain/retention.js';
import type { PartitionBatch } from '../stats/collect-additions.js';

/** Retention for tests with clicks of any year. */
export const unlimitedRetention: Retention = {
  FREE: 36_500,
  PRO: 36_500,
  BUSINESS: 36_500,
  UNLIMITED: 36_500,
  other: 36_500,
};

/** A click on the stream. Omitted fields get the values of an ordinary click. */
export interface TestClick {
  at: string | number;
  /** Null for a standalone QR code. */
  link: string | null;
  workspace?: string;
  qr?: string;
  bot?: boolean;
  visitor?: string;
  referrer?: string;
  userAgent?: string;
  country?: string;
  city?: string;
}

/** Returns a batch of clicks of links, or of standalone QR codes, in one partition. */
export function aClickBatch(clicks: TestClick[], id = newUlid()): PartitionBatch {
  const base = Math.min(...clicks.map(({ at }) => new Date(at).getTime()));
  const texts: string[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (text: string): number => {
    const found = indexes.get(text) ?? texts.push(text) - 1;
    indexes.set(text, found);
    return found;
  };
  const rows = clicks.map((click): ClickBatch['clicks'][number] => [
    new Date(click.at).getTime() - base,
    click.link === null ? -1 : indexOf(click.link),
    click.qr === undefined ? -1 : indexOf(click.qr),
    indexOf(click.workspace ?? 'ws_1'),
    click.bot ? 'b' : 'h',
    indexOf(click.userAgent ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'),
    indexOf(click.referrer ?? ''),
    indexOf(click.country ?? 'ID'),
    indexOf(click.city ?? ''),
    indexOf(click.visitor ?? 'visitor'),
    click.qr === undefined ? 'l' : 'q',
  ]);
  return {
    partition: clickPartition(clicks[0]!.link ?? clicks[0]!.qr!),
    batch: { v: 1, id, base, texts, clicks: rows },
  };
}
