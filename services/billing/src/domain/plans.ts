import { fail } from '@tautan/kit';
import { currencies, listedPlanNames, paidPlanNames, planNames, type Currency, type ListedPlanName, type PaidPlanName, type PlanName } from '@tautan/proto'; // prettier-ignore

/** The position of a plan: 0 for FREE. */
export const rank = (plan: PlanName): number => planNames.indexOf(plan);

/** A plan that can be bought, by its name; undefined for any other text. */
export const paidPlanNamed = (text: string | undefined): PaidPlanName | undefined =>
  paidPlanNames.find((name) => name === text);

/** A plan by its name. Throws VALIDATION_ERROR naming `plan` for one that there is not. */
export function checkPlan(text: string): ListedPlanName {
  const plan = listedPlanNames.find((name) => name === text);
  if (plan) return plan;
  throw fail('VALIDATION_ERROR', `plan must be one of ${listedPlanNames.join(', ')}.`, 'plan');
}

/** A plan that can be bought, by its name. Throws VALIDATION_ERROR naming `plan` for any other. */
export function checkPaidPlan(text: string): PaidPlanName {
  const plan = paidPlanNamed(text);
  if (plan) return plan;
  throw fail('VALIDATION_ERROR', `plan must be one of ${paidPlanNames.join(', ')}.`, 'plan');
}

/** A currency by its name. Throws VALIDATION_ERROR naming `currency` for one that is not taken here. */
export function checkCurrency(text: string): Currency {
  const currency = currencies.find((name) => name === text);
  if (currency) return currency;
  throw fail('VALIDATION_ERROR', `currency must be one of ${currencies.join(', ')}.`, 'currency');
}
