import { driverCollection } from '@tautan/kit/mongo';
import { expiryOf } from '@tautan/plans/usage';
import type { ClientSession, mongo } from 'mongoose';
import type { Models, UsageNotice } from '../../store/models.js';

/** Identifies a threshold of a workspace's clicks in a month. */
export interface ClickThreshold {
  workspaceId: string;
  /** YYYY-MM */
  period: string;
  /** Percentage of the plan's click limit. */
  threshold: number;
}

/** Records which workspaces were notified of which thresholds. */
export class UsageNoticeStore {
  readonly #notices: mongo.Collection<UsageNotice>;

  constructor({ usageNotices }: Pick<Models, 'usageNotices'>) {
    this.#notices = driverCollection(usageNotices);
  }

  async exists(threshold: ClickThreshold): Promise<boolean> {
    return (await this.#notices.findOne({ _id: noticeId(threshold) })) !== null;
  }

  /** Rejects with a duplicate key error if the threshold is already recorded. */
  async insert(threshold: ClickThreshold, session: ClientSession): Promise<void> {
    await this.#notices.insertOne({ _id: noticeId(threshold), expireAt: expiryOf(threshold.period) }, { session });
  }
}

const noticeId = ({ workspaceId, period, threshold }: ClickThreshold): string =>
  `${workspaceId}/${period}/clicks/${threshold}`;
