import { fail, type Fault } from '@tautan/kit';
import type { Plan } from '@tautan/proto';

/**
 * Throws PLAN_LIMIT_EXCEEDED naming `qrLogoEnabled` unless the plan includes logos. QR codes keep the logos that they
 * already have.
 */
export function assertLogoIncluded({ name, qrLogoEnabled }: Plan): void {
  if (qrLogoEnabled) return;
  const message = `The ${name} plan does not include logos in QR codes. Upgrade the plan to use them.`;
  throw fail('PLAN_LIMIT_EXCEEDED', message, 'qrLogoEnabled');
}

/** Returns the VALIDATION_ERROR naming `logo` for an upload to a workspace that already has `max` logos. */
export const tooManyLogos = (max: number, unusedDays: number): Fault =>
  fail(
    'VALIDATION_ERROR',
    `A workspace can have at most ${max} logos. Reuse the logoRunRef of one of them; ` +
      `logos that no QR code uses are deleted after ${unusedDays} days.`,
    'logo',
  );
