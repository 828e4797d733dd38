import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import * as records from './index.js';

const exported: Record<string, unknown> = records;
/** Name, schema and example of every record that has an example, such as `linkRecord` with `linkExample`. */
const described = Object.keys(exported)
  .filter((name) => name.endsWith('Record') && `${name.slice(0, -'Record'.length)}Example` in exported)
  .map((name) => [name, exported[name] as z.ZodObject, exported[`${name.slice(0, -'Record'.length)}Example`]] as const);

test('more than 20 records have an example', () => {
  expect(described.length).toBeGreaterThan(20);
});

test.each(described)('the example of %s is complete and valid', (_name, record, example) => {
  expect(record.strict().parse(example)).toEqual(example);
});
