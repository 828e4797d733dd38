import { domainToASCII } from 'node:url';
import { Argument } from 'commander';
import type { Api } from '../../api/client.js';
import type { Domain } from '../../api/records.js';
import { findNamed } from '../find.js';

export const domainArgument = (): Argument => new Argument('<domain>', 'name or id');

export const findDomain = async (api: Api, wanted: string): Promise<Domain> =>
  findNamed(await api.get('/domains'), {
    wanted,
    name: ({ domain }) => domain,
    noun: 'domain',
    normalize: normalizedName,
  });

/** Returns a domain name in the form that the service stores: lower case, in punycode, without a final dot. */
const normalizedName = (name: string): string => (domainToASCII(name.trim()) || name).replace(/\.$/, '');
