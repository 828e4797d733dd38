import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { auditEntryExample } from '@tautan/proto';
import { auditTable } from './audit.js';
import { styles } from './style.js';
import { table, type Column } from './table.js';
import { formatBytes, printable, truncated, widthOf } from './text.js';
import { formatRelativeTime, parseTime } from './times.js';
import { deliveryDetails } from './webhook.js';

const plain = styles(false);

describe('text', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly-10', 10, 'exactly-10'],
    ['too long for it', 8, 'too lon…'],
    ['日本語テキスト', 8, '日本語…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
  ])('%s cut to %i columns is %s', (text, columns, cut) => {
    expect(truncated(text, columns)).toBe(cut);
  });

  test('is never wider than its limit after truncation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(widthOf(truncated(printable(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('cannot control the terminal', () => {
    expect(printable('a\u001b]0;x\u0007b\r\nc\u202ed')).toBe('a�]0;x�b c�d');
  });
});

describe('a table', () => {
  const columns: Column<string[]>[] = [
    { title: 'NAME', value: (row) => row[0]!, minWidth: 6 },
    { title: 'COUNT', value: (row) => row[1]!, align: 'right' },
    { title: 'NOTE', value: (row) => row[2]!, minWidth: 4, omitPriority: 1 },
  ];
  const rows = [
    ['a rather long name', '1', 'a note'],
    ['b', '1,000', ''],
  ];

  test('is as wide as its contents by default', () => {
    expect(table(rows, columns, plain)).toBe(
      'NAME                COUNT  NOTE\na rather long name      1  a note\nb                   1,000',
    );
  });

  test('shrinks the widest column first, then omits optional columns', () => {
    expect(table(rows, columns, plain, 24).split('\n')[1]).toBe('a rather…      1  a note');
    expect(table(rows, columns, plain, 16).split('\n')[1]).toBe('a rather…      1');
  });

  test('applies colors after truncation', () => {
    const painted = table(rows, [{ ...columns[0]!, paint: styles(true).cyan }], styles(true), 8);
    expect(painted.split('\n')[1]).toBe('\u001b[36ma rathe…\u001b[39m');
  });

  test('fits every width that can be reached by truncating and omitting columns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))),
        fc.integer({ min: 20, max: 200 }),
        (texts, width) => {
          const lines = table(
            texts.map(([name, note]) => [name, '1', note]),
            columns,
            plain,
            width,
          ).split('\n');
          expect(lines).toHaveLength(texts.length + 1);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

test('a table that does not fit the width prints each row as a block', () => {
  const columns = [
    { title: 'LABEL', value: (row: string[]) => row[0]! },
    { title: 'ID', value: (row: string[]) => row[1]! },
  ];
  const rows = [
    ['first', 'x'.repeat(20)],
    ['', '東京'.repeat(4)],
  ];
  expect(table(rows, columns, styles(false), 24)).toBe(
    `LABEL  first\nID     ${'x'.repeat(20)}\n\nID  ${'東京'.repeat(4)}`,
  );
});

test.each([40, 62, 200])('an audit log table without titles shows the time of its entry at width %i', (width) => {
  expect(auditTable([auditEntryExample], plain, width, false)).toContain(auditEntryExample.createdAt);
  // Below 62 columns, the entry does not fit on one line and is printed as a block of five lines.
  expect(auditTable([auditEntryExample], plain, width, false).split('\n')).toHaveLength(width < 62 ? 5 : 1);
});

test.each([
  [999, '999 bytes'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
])('%d bytes are formatted as "%s"', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test('a webhook body in JSON is printed without characters that control the terminal', () => {
  const body = JSON.stringify({ text: 'a\u009b31m\u202eb\u007f\n' });
  const delivery = {
    id: 'whd_1',
    type: 'link.created',
    status: 'pending',
    attempts: 0,
    completedAt: null,
    createdAt: '2030-06-15T12:00:00Z',
    nextRetryAt: null,
    subscriptionId: 'whs_1',
    eventId: 'evt_1',
    attemptLog: [],
    body,
  } satisfies Parameters<typeof deliveryDetails>[0];
  const printed = deliveryDetails(delivery, plain);
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(printed).toContain('"text": "a�31m�b�\\n"');
});

describe('a time', () => {
  const now = Date.parse('2030-06-15T12:00:00Z');
  test.each([
    ['2030-06-15T11:59:40Z', 'just now'],
    ['2030-06-15T12:00:20Z', 'in a moment'],
    ['2030-06-15T11:58:00Z', '2 minutes ago'],
    ['2030-06-15T10:00:00Z', '2 hours ago'],
    ['2030-06-14T11:00:00Z', 'yesterday'],
    ['2030-06-17T11:00:00Z', 'in 2 days'],
    ['2030-06-13T13:00:00Z', '2 days ago'],
    ['2030-06-18T12:00:00Z', 'in 3 days'],
    ['2030-06-22T11:59:00Z', 'in 7 days'],
    ['2030-06-15T12:59:30Z', 'in 1 hour'],
    ['2030-06-15T09:01:30Z', '2 hours ago'],
    ['2029-01-31T12:00:00Z', '31 Jan 2029'],
  ])('%s is formatted as "%s"', (iso, words) => {
    expect(formatRelativeTime(iso, now)).toBe(words);
  });

  test.each([
    [new Date(2030, 5, 15, 22), new Date(2030, 5, 17, 1), 'in 2 days'],
    [new Date(2030, 5, 15, 22), new Date(2030, 5, 16, 23), 'tomorrow'],
    [new Date(2030, 5, 15, 2), new Date(2030, 5, 13, 23), '2 days ago'],
    [new Date(2030, 5, 15, 0, 5), new Date(2030, 5, 15, 23, 50), 'in 23 hours'],
  ])('at %s, %s is formatted as "%s", because days are calendar days', (from, to, words) => {
    expect(formatRelativeTime(to.toISOString(), from.getTime())).toBe(words);
  });

  test.each([
    ['30m', '2030-06-15T12:30:00.000Z'],
    ['7d', '2030-06-22T12:00:00.000Z'],
    ['2w', '2030-06-29T12:00:00.000Z'],
    ['2030-07-01T10:00:00+07:00', '2030-07-01T03:00:00.000Z'],
    ['2030-07-01', new Date(2030, 6, 1).toISOString()],
    ['2030-07-01T08:00', new Date(2030, 6, 1, 8).toISOString()],
    ['tomorrow', undefined],
    ['2030-06-30T25:00', undefined],
    ['2030-02-31', undefined],
    ['2030-02-31T08:00Z', undefined],
    ['7', undefined],
    ['', undefined],
  ])('%j is read as %s', (text, iso) => {
    expect(parseTime(text, now)).toBe(iso);
  });
});
