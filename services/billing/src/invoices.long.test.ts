import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startService, type Caller, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

/** Returns the id of the only payment of a workspace. */
async function chargeOf(caller: Caller): Promise<string> {
  const { customerId } = await caller.record();
  const { data } = await service.stripe.charges.list({ customer: customerId });
  expect(data).toHaveLength(1);
  return data[0]!.id;
}
const statusesOf = async (caller: Caller) =>
  (await caller.call('ListInvoices', {})).invoices.map(({ status }) => status).join();

describe('the status of an invoice', () => {
  test('becomes refunded when the payment is refunded, and stays so when an older webhook arrives again', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    await caller.invoices(1);
    await service.stripe.refunds.create({ charge: await chargeOf(caller) });
    await service.untilEqual(() => statusesOf(caller), 'refunded');
    const { customerId } = await caller.record();
    const webhook = service.receiver.of('invoice.paid').find(({ customer }) => customer === customerId);
    await service.models.webhooks.deleteOne({ _id: webhook!.id });
    await service.deliver(webhook!);
    expect(await statusesOf(caller)).toBe('refunded');
    // A refund does not cancel the subscription; that is a separate step.
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test('stays paid after a partial refund', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    await caller.invoices(1);
    const { customerId } = await caller.record();
    const received = () => service.receiver.of('charge.refunded').find(({ customer }) => customer === customerId);
    await service.stripe.refunds.create({ charge: await chargeOf(caller), amount: 100 });
    await service.untilEqual(async () => received() !== undefined, true);
    const isDone = async () =>
      (await service.models.webhooks.exists({ _id: received()!.id, at: { $ne: null } })) !== null;
    await service.untilEqual(isDone, true);
    expect(await statusesOf(caller)).toBe('paid');
  });
});

describe('the list', () => {
  let caller: Caller;
  let ids: string[];
  beforeAll(async () => {
    caller = service.as();
    await caller.subscribed('PRO');
    const { providerId } = await caller.record();
    for (let n = 0; n < 4; n += 1) await service.advance(providerId!);
    ids = (await caller.invoices(5)).map(({ id }) => id);
  });

  test('is newest first', async () => {
    const dates = (await caller.invoices(5)).map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(new Set(ids).size).toBe(5);
  });

  test.each([1, 2, 3, 5])('has no gaps or duplicates if it is read in pages of %d invoices', async (limit) => {
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await caller.call('ListInvoices', { limit, ...(cursor !== undefined && { cursor }) });
      expect(page.invoices.length).toBeGreaterThan(0);
      expect(page.invoices.length).toBeLessThanOrEqual(limit);
      read.push(...page.invoices.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(read).toEqual(ids);
  });

  test('rejects a limit out of range, and an invalid or foreign cursor', async () => {
    const { nextCursor: cursor } = await caller.call('ListInvoices', { limit: 2 });
    for (const limit of [-1, 201]) {
      await expect(caller.call('ListInvoices', { limit })).rejects.toEqual(fault('VALIDATION_ERROR', 'limit'));
    }
    const elsewhere = service.as().call('ListInvoices', { limit: 2, cursor: cursor! });
    await expect(elsewhere).rejects.toEqual(fault('VALIDATION_ERROR', 'cursor'));
    const nonsense = caller.call('ListInvoices', { limit: 2, cursor: 'x' });
    await expect(nonsense).rejects.toEqual(fault('VALIDATION_ERROR', 'cursor'));
  });
});

test('an upgrade credits the unused remainder of the lower plan', async () => {
  const caller = service.as();
  await caller.subscribed('PRO');
  await caller.subscribed('BUSINESS');
  const amounts = (await caller.invoices(3)).map(({ amount }) => amount);
  const credit = amounts.find((amount) => amount < 0)!;
  expect(amounts).toEqual(expect.arrayContaining([149_000, 449_000]));
  expect(credit).toBeLessThan(-148_000);
  expect(credit).toBeGreaterThanOrEqual(-149_000);
});
