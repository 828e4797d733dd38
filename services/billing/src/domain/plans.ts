import { fail } from '@tautan/kit';
import {
  currencies,
  listedPlanNames,
  paidPlanNames,
  planNames,
  type Currency,
  type ListedPlanName,
  type PaidPlanName,
  type PlanName,
} from '@tautan/proto';

/** Returns the rank of a plan: 0 for FREE. */
export const rank = (plan: PlanName): number => planNames.indexOf(plan);

/** Returns a plan that can be bought, by its name; undefined for any other text. */
export const paidPlanNamed = (text: string | undefined): PaidPlanName | undefined =>
  paidPlanNames.find((name) => name === text);

/** Returns a listed plan by its name. Throws VALIDATION_ERROR naming `plan` for any other text. */
export function checkPlan(text: string): ListedPlanName {
  const plan = listedPlanNames.find((name) => name === text);
  if (plan) return plan;
  throw fail('VALIDATION_ERROR', `plan must be one of ${listedPlanNames.join(', ')}.`, 'plan');
}

/** Returns a plan that can be bought, by its name. Throws VALIDATION_ERROR naming `plan` for any other text. */
export function checkPaidPlan(text: string): PaidPlanName {
  const plan = paidPlanNamed(text);
  if (plan) return plan;
  throw fail('VALIDATION_ERROR', `plan must be one of ${paidPlanNames.join(', ')}.`, 'plan');
}

/** Returns a currency by its name. Throws VALIDATION_ERROR naming `currency` if it is not supported. */
export function checkCurrency(text: string): Currency {
  const currency = currencies.find((name) => name === text);
  if (currency) return currency;
  throw fail('VALIDATION_ERROR', `currency must be one of ${currencies.join(', ')}.`, 'currency');
}
