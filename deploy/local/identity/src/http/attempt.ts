import { Refusal, type Page } from '@tautan/local-web';
import type { Problem } from '../pages/fields.js';

/** Runs the action of a form. If it throws a Refusal, returns the form's page with the error instead. */
export async function attempt<T>(
  action: () => Promise<T>,
  formPage: (problem: Problem, status: number) => Page,
): Promise<T | Page> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...formPage({ message: error.message, field: error.field }, error.status), retryAfter: error.retryAfter };
  }
}
