import { expect, test } from '@jest/globals';
import { problemsCsv } from './import-run.js';

test('writes problems as CSV, sorted by line, with formulas escaped', () => {
  const problems = [
    { line: 9, field: 'url', message: 'url is "wrong".' },
    { line: 2, field: undefined, message: '=1+1' },
  ];
  expect(problemsCsv(problems)).toBe('line,field,message\r\n2,"","\'=1+1"\r\n9,"url","url is ""wrong""."');
});
