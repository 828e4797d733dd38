import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, mongo } from 'mongoose';
import type { Link } from '../../links/domain/link.js';
import type { QrCodeData } from '../../qr-routes/domain/qr-route.js';
import type { Models } from '../../store/models.js';

/** The clicks to add to one link or QR code. */
export interface ClickAddition {
  workspaceId: string;
  clicks: number;
  lastClickAt: Date;
}

/**
 * The click counters of links and QR codes. Uses the driver directly, because counter updates need no schema casting.
 */
export class ClickCounterStore {
  readonly #links: mongo.Collection<Link>;
  readonly #qrCodeData: mongo.Collection<QrCodeData>;

  constructor({ links, qrCodeData }: Pick<Models, 'links' | 'qrCodeData'>) {
    this.#links = driverCollection(links);
    this.#qrCodeData = driverCollection(qrCodeData);
  }

  /** Adds clicks to links, by id. Deleted links are ignored. */
  async addToLinks(additions: Map<string, ClickAddition>, session: ClientSession): Promise<void> {
    const writes = Array.from(additions, ([_id, { workspaceId, clicks: clickCount, lastClickAt }]) => ({
      updateOne: { filter: { _id, workspaceId }, update: { $inc: { clickCount }, $max: { lastClickAt } } },
    }));
    if (writes.length > 0) await this.#links.bulkWrite(writes, { session, ordered: false });
  }

  /** Adds scans to QR codes, by id. Deleted codes are ignored. */
  async addToQrCodes(additions: Map<string, ClickAddition>, session: ClientSession): Promise<void> {
    const writes = Array.from(additions, ([_id, { workspaceId, clicks: scanCount, lastClickAt: lastScanAt }]) => ({
      updateOne: { filter: { _id, workspaceId }, update: { $inc: { scanCount }, $max: { lastScanAt } } },
    }));
    if (writes.length > 0) await this.#qrCodeData.bulkWrite(writes, { session, ordered: false });
  }
}
