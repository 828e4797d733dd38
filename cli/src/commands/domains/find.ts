import { Argument } from 'commander';
import type { Api } from '../../api/client.js';
import type { Domain } from '../../api/records.js';
import { findNamed } from '../find.js';

export const domainArgument = (): Argument => new Argument('<domain>', 'name or id');

export const findDomain = async (api: Api, wanted: string): Promise<Domain> =>
  findNamed(await api.get('/domains'), { wanted, name: ({ domain }) => domain, noun: 'domain' });
