import { describe, expect, test } from '@jest/globals';
import {
  effectivePlan,
  noPlanSources,
  parseGivenPlan,
  planSourcesOf,
  withSubscription,
  type KnownSubscription,
  type SubscriptionChange,
} from './workspace-plan.js';

const at = (minute: number): Date => new Date(Date.UTC(2030, 0, 1, 0, minute));
const known: KnownSubscription = { plan: 'PRO', version: 3, at: at(3) };

describe('the sources of a stored plan', () => {
  test('are the subscription and the plan given by an operator, if they are stored with it', () => {
    expect(planSourcesOf({ plan: 'PRO', planVersion: 1, givenPlan: 'BUSINESS', subscription: known })).toEqual({
      given: 'BUSINESS',
      subscription: known,
    });
    expect(planSourcesOf({ plan: 'PRO', planVersion: 1 })).toEqual(noPlanSources);
  });

  test('are a given plan, an unversioned subscription, or neither if an earlier software version stored the plan', () => {
    expect(planSourcesOf({ plan: 'PRO' })).toEqual({ given: 'PRO', subscription: null });
    expect(planSourcesOf({ plan: 'FREE' })).toEqual(noPlanSources);
    const subscription = { plan: 'PRO', version: null, at: at(1) };
    expect(planSourcesOf({ plan: 'PRO', planAsOf: at(1) })).toEqual({ given: null, subscription });
    expect(planSourcesOf({ plan: 'FREE', planAsOf: at(1) }).subscription).toMatchObject({ plan: null });
  });

  test('include a later write by a replica of an earlier software version', () => {
    const stored = { plan: 'BUSINESS', planVersion: 1, subscription: known } as const;
    expect(planSourcesOf({ ...stored, planAsOf: at(4) })).toEqual({
      given: null,
      subscription: { plan: 'BUSINESS', version: 3, at: at(4) },
    });
    expect(planSourcesOf({ ...stored, planAsOf: at(3) })).toEqual({ given: null, subscription: known });
  });
});

test('the effective plan is that of the subscription, else the given one, else the default', () => {
  expect(effectivePlan({ given: 'BUSINESS', subscription: known }, 'FREE')).toBe('PRO');
  expect(effectivePlan({ given: 'BUSINESS', subscription: { ...known, plan: null } }, 'FREE')).toBe('BUSINESS');
  expect(effectivePlan({ given: 'BUSINESS', subscription: null }, 'FREE')).toBe('BUSINESS');
  expect(effectivePlan(noPlanSources, 'FREE')).toBe('FREE');
});

describe('an event of a subscription', () => {
  const change = (fields: Partial<SubscriptionChange>): SubscriptionChange => ({
    plan: 'BUSINESS',
    status: 'active',
    version: undefined,
    at: at(3),
    ...fields,
  });
  const after = (subscription: KnownSubscription | null, fields: Partial<SubscriptionChange>) =>
    withSubscription({ given: 'PRO', subscription }, change(fields)).subscription;

  test('applies if its version is higher, even if its time is earlier', () => {
    expect(after(known, { version: 4, at: at(1) })).toEqual({ plan: 'BUSINESS', version: 4, at: at(1) });
    expect(after(known, { version: 3, at: at(9) })).toBe(known);
    expect(after(known, { version: 2, at: at(9) })).toBe(known);
  });

  test('is compared by time if the event or the known subscription has no version, and applies unless the event is older', () => {
    expect(after(known, {})).toEqual({ plan: 'BUSINESS', version: 3, at: at(3) });
    expect(after(known, { at: at(2) })).toBe(known);
    const unversioned = { ...known, version: null };
    expect(after(unversioned, { version: 1 })).toEqual({ plan: 'BUSINESS', version: 1, at: at(3) });
    expect(after(unversioned, { version: 1, at: at(2) })).toBe(unversioned);
    expect(after(null, {})).toEqual({ plan: 'BUSINESS', version: null, at: at(3) });
  });

  test('keeps the given plan, and keeps all sources if the event is not newer', () => {
    const sources = { given: 'PRO', subscription: known } as const;
    expect(withSubscription(sources, change({ version: 4 })).given).toBe('PRO');
    expect(withSubscription(sources, change({ version: 3 }))).toBe(sources);
  });

  test.each([
    ['active', 'BUSINESS', 'BUSINESS'],
    ['past_due', 'BUSINESS', 'BUSINESS'],
    ['active', 'FREE', null],
    ['canceled', 'BUSINESS', null],
    ['none', 'BUSINESS', null],
  ] as const)('with the status %s and the plan %s results in the subscription plan %j', (status, plan, provided) => {
    expect(after(null, { status, plan })).toMatchObject({ plan: provided });
  });
});

test('a plan given by an operator is parsed from its name; an empty text means no given plan', () => {
  expect(['UNLIMITED', 'FREE', ''].map(parseGivenPlan)).toEqual(['UNLIMITED', 'FREE', null]);
  expect(() => parseGivenPlan('pro')).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'plan' }));
});
