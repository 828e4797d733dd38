import { Argument } from 'commander';
import type { Api } from '../../api/client.js';
import type { Tag } from '../../api/records.js';
import { findNamed } from '../find.js';

export const tagArgument = (): Argument => new Argument('<tag>', 'name or id');

export const findTag = async (api: Api, wanted: string): Promise<Tag> =>
  findNamed(await api.get('/tags'), { wanted, name: ({ name }) => name, noun: 'tag' });
