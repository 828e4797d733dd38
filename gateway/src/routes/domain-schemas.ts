import { DOMAIN_ID, domainPageFields } from '@tautan/proto';
import { z } from 'zod';
import { pathId, text } from './fields.js';

/** Body of POST /domains. */
export const newDomain = z.strictObject({
  domain: text(253, 1).meta({
    description:
      'Host name. Public suffixes and hosts of this service are refused. Stored in lower case, international names as punycode.',
    examples: ['go.example.com'],
  }),
});

/** Maximum lengths of the settings of a domain's pages. */
const maxLengths = {
  brandName: 60,
  brandLogoUrl: 2_048,
  brandColor: 7,
  rootUrl: 2_048,
  notFoundUrl: 2_048,
  expiredUrl: 2_048,
} satisfies Record<keyof typeof domainPageFields, number>;

const change = (field: keyof typeof domainPageFields) =>
  text(maxLengths[field], 1)
    .nullable()
    .optional()
    .meta({ ...domainPageFields[field].unwrap().meta() });

/** Body of PATCH /domains/{id}. */
export const domainChange = z.strictObject({
  brandName: change('brandName'),
  brandLogoUrl: change('brandLogoUrl'),
  brandColor: change('brandColor'),
  rootUrl: change('rootUrl'),
  notFoundUrl: change('notFoundUrl'),
  expiredUrl: change('expiredUrl'),
});

export const domainParams = z.object({ id: pathId('Id of the domain.', DOMAIN_ID) });
