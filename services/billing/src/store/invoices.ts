import { newId } from '@tautan/kit';
import type { ClientSession } from 'mongoose';
import type { InvoicePosition } from '../domain/cursor.js';
import { mayFollow, type Invoice } from '../domain/invoice.js';
import type { ProviderInvoice } from '../domain/provider-objects.js';
import type { Models } from './models.js';

export type InvoiceStore = ReturnType<typeof invoiceStore>;

export const invoiceStore = ({ invoices }: Models) => ({
  /** Inserts or updates an invoice. An existing invoice in a later status stays unchanged. */
  async put(workspaceId: string, provided: ProviderInvoice, session: ClientSession): Promise<void> {
    const { providerId } = provided;
    const known = await invoices.findOne({ providerId }).session(session).lean<Invoice>();
    if (!known) await invoices.insertMany([{ _id: newId('inv'), workspaceId, ...provided }], { session });
    else if (mayFollow(provided.status, known.status)) {
      await invoices.updateOne({ _id: known._id }, { $set: provided }, { session });
    }
  },

  /** Returns up to `limit` invoices of a workspace after a position, newest first. */
  page(workspaceId: string, after: InvoicePosition | undefined, limit: number): Promise<Invoice[]> {
    const behind = after && { $or: [{ date: { $lt: after.date } }, { date: after.date, _id: { $lt: after.id } }] };
    return invoices
      .find({ workspaceId, ...behind })
      .sort({ date: -1, _id: -1 })
      .limit(limit)
      .lean<Invoice[]>()
      .exec();
  },
});
