import { checkText, fail, isBrandColor, isLogoUrl, MAX_BRAND_NAME } from '@tautan/kit';
import type { DomainRecord, domainPageFields } from '@tautan/proto';
import { checkUrl, type DestinationRules } from '../../links/domain/url.js';

/**
 * Brand and redirects of a domain. A brand field that is null uses the default brand, except that a domain with a
 * `brandName` never shows the default logo. Null URLs do not redirect.
 */
export type DomainPages = Pick<DomainRecord, keyof typeof domainPageFields>;
/** URLs to which visitors are redirected if no active link matches; null shows a page. */
export type FallbackUrls = Pick<DomainPages, 'rootUrl' | 'notFoundUrl' | 'expiredUrl'>;

type Field = keyof DomainPages;

/** The pages of a domain without settings. */
export const noPages: DomainPages = {
  brandName: null,
  brandLogoUrl: null,
  brandColor: null,
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
};

/** Absent or undefined fields do not change; fields named in `clear` are set to null. */
export type DomainChange = { [F in Field]?: string | undefined } & { clear: string[] };

/** Validates an update. Throws VALIDATION_ERROR naming the first invalid field. */
export function parseDomainChange({ clear, ...given }: DomainChange, rules: DestinationRules): Partial<DomainPages> {
  const checked: Partial<DomainPages> = {};
  for (const field of Object.keys(noPages) as Field[]) {
    const value = given[field];
    if (value !== undefined) checked[field] = checks[field](value, field, rules);
  }
  for (const field of clear) {
    if (!Object.hasOwn(noPages, field)) throw fail('VALIDATION_ERROR', `${field} cannot be unset.`, field);
    if (Object.hasOwn(checked, field)) throw fail('VALIDATION_ERROR', `${field} cannot be both set and unset.`, field);
    checked[field as Field] = null;
  }
  return checked;
}

type Check = (value: string, field: Field, rules: DestinationRules) => string;

const checkFallback: Check = (value, field, rules) => checkUrl(value, rules, field);

const checks: Record<Field, Check> = {
  brandName: (value, field) => checkText(field, value, MAX_BRAND_NAME),
  brandLogoUrl: (value, field) => {
    if (isLogoUrl(value)) return new URL(value).href;
    throw fail('VALIDATION_ERROR', `${field} must be an https URL without credentials.`, field);
  },
  brandColor: (value, field) => {
    const color = value.toLowerCase();
    if (isBrandColor(color)) return color;
    throw fail('VALIDATION_ERROR', `${field} must be a color such as #0f766e.`, field);
  },
  rootUrl: checkFallback,
  notFoundUrl: checkFallback,
  expiredUrl: checkFallback,
};
