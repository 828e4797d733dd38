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

/** A click on the stream. Omitted fields describe an ordinary click. */
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
  const numbers = new Map<string, number>();
  const number = (text: string): number => {
    const found = numbers.get(text) ?? texts.push(text) - 1;
    numbers.set(text, found);
    return found;
  };
  const rows = clicks.map((click): ClickBatch['clicks'][number] => [
    new Date(click.at).getTime() - base,
    click.link === null ? -1 : number(click.link),
    click.qr === undefined ? -1 : number(click.qr),
    number(click.workspace ?? 'ws_1'),
    click.bot ? 'b' : 'h',
    number(click.userAgent ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'),
    number(click.referrer ?? ''),
    number(click.country ?? 'ID'),
    number(click.city ?? ''),
    number(click.visitor ?? 'visitor'),
    click.qr === undefined ? 'l' : 'q',
  ]);
  return {
    partition: clickPartition(clicks[0]!.link ?? clicks[0]!.qr!),
    batch: { v: 1, id, base, texts, clicks: rows },
  };
}
