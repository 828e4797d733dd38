import type { Customer } from './customers.js';

/** The supported test cards of Stripe: https://docs.stripe.com/testing */
export const cards = {
  pm_card_visa: { last4: '4242', works: true },
  pm_card_chargeCustomerFail: { last4: '0341', works: false },
} as const;

export type CardId = keyof typeof cards;
export const cardIds = Object.keys(cards) as [CardId, ...CardId[]];

/** Returns the card of a customer: by default, the one that works. Earlier versions stored no `invoice_settings`. */
export const cardOf = ({ invoice_settings: settings }: Partial<Pick<Customer, 'invoice_settings'>>): CardId =>
  settings?.default_payment_method ?? 'pm_card_visa';
