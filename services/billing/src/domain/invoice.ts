import type { InvoiceStatus } from '@tautan/proto';
import { invoiceStatusPrecedence, type ProviderInvoice } from './provider-objects.js';

export interface Invoice extends ProviderInvoice {
  /** inv_… */
  _id: string;
  workspaceId: string;
}

/** Returns whether `next` may replace `status`, so that a stale status never overwrites a later one. */
export const mayFollow = (next: InvoiceStatus, status: InvoiceStatus): boolean =>
  invoiceStatusPrecedence.indexOf(next) >= invoiceStatusPrecedence.indexOf(status);
