import type { ClientSession } from 'mongoose';
import type { Models, ProviderEvent } from './models.js';

export type ProviderEventStore = ReturnType<typeof providerEventStore>;

export const providerEventStore = ({ providerEvents }: Models) => ({
  async isKnown(id: string): Promise<boolean> {
    return (await providerEvents.exists({ _id: id })) !== null;
  },

  /** Notes that a notice was acted on, with what it changed. Rejects with a duplicate key when it was before. */
  async mark(event: ProviderEvent, session: ClientSession): Promise<void> {
    await providerEvents.insertMany([event], { session });
  },
});
