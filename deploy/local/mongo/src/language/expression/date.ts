import { ObjectId, Timestamp } from 'bson';
import { fail } from '../errors.js';
import { type Document, documentOf, isDocument, isNumeric, toNumber, typeName } from '../values.js';
import { isNullish, named, type OperatorReader, type OperatorTable } from './args.js';
import { parseDate, parseDateAs } from './date-parse.js';
import { dayOfYear, formatDate, isoWeek, isoWeekYear, weekOfYear } from './date-format.js';
import { optionalZone, toUtc, utcOf, zoneOf } from './zone.js';

/** The instant of a date, a timestamp or an ObjectId, in ms. */
export function instantOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (value instanceof Timestamp) return value.getHighBitsUnsigned() * 1000;
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  return fail(16006, `can't convert from BSON type ${typeName(value)} to Date`);
}

/** A part of a date: `{ $year: '$at' }` or `{ $year: { date, timezone } }`. It is read from the local time as if it were UTC. */
function part(read: (local: Date) => number | bigint): OperatorReader {
  return (operand, reader, name) => {
    const single = Array.isArray(operand) && operand.length === 1 ? (operand[0] as unknown) : operand;
    const named = isDocument(single) && ('date' in single || 'timezone' in single);
    const fields: Document = named ? single : { date: single };
    for (const key in fields)
      if (key !== 'date' && key !== 'timezone') fail(40535, `unrecognized option to ${name}: "${key}"`);
    const date = reader.parse(fields.date);
    const zone = 'timezone' in fields ? reader.parse(fields.timezone) : undefined;
    return (root, variables) => {
      const value = date(root, variables);
      const shift = optionalZone(zone?.(root, variables), zone !== undefined);
      if (isNullish(value) || !shift) return null;
      const instant = instantOf(value);
      return read(new Date(instant + shift(instant)));
    };
  };
}

function toParts({ date, timezone, iso8601 }: Document): unknown {
  const zone = optionalZone(timezone, timezone !== undefined);
  if (isNullish(date) || !zone) return null;
  const instant = instantOf(date);
  const local = new Date(instant + zone(instant));
  const time = {
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
  };
  if (iso8601 === true)
    return documentOf({
      isoWeekYear: isoWeekYear(local),
      isoWeek: isoWeek(local),
      isoDayOfWeek: local.getUTCDay() || 7,
      ...time,
    });
  return documentOf({ year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate(), ...time });
}

const TIME_PARTS = ['hour', 'minute', 'second', 'millisecond'];

function fromParts(parts: Document): unknown {
  const { timezone, ...numbers } = parts;
  const zone = optionalZone(timezone, 'timezone' in parts);
  if (Object.values(numbers).some(isNullish) || !zone) return null;
  const read = (key: string, otherwise: number): number =>
    key in numbers ? wholeNumber(numbers[key], key) : otherwise;
  const time = TIME_PARTS.map((key) => read(key, 0)) as [number, number, number, number];
  if ('isoWeekYear' in numbers) {
    const monday = mondayOfWeekOne(read('isoWeekYear', 1970));
    const day = (read('isoWeek', 1) - 1) * 7 + read('isoDayOfWeek', 1) - 1;
    return new Date(
      toUtc(utcOf(monday.getUTCFullYear(), monday.getUTCMonth() + 1, monday.getUTCDate() + day, ...time), zone),
    );
  }
  if (!('year' in numbers)) fail(40516, '$dateFromParts requires either "year" or "isoWeekYear" to be present');
  return new Date(toUtc(utcOf(read('year', 1970), read('month', 1), read('day', 1), ...time), zone));
}

function mondayOfWeekOne(year: number): Date {
  const fourth = new Date(utcOf(year, 1, 4));
  return new Date(utcOf(year, 1, 4 - ((fourth.getUTCDay() || 7) - 1)));
}

function wholeNumber(value: unknown, key: string): number {
  const number = isNumeric(value) ? toNumber(value) : NaN;
  return Number.isInteger(number)
    ? number
    : fail(40515, `'${key}' must evaluate to an integer, found ${typeName(value)}`);
}

const toStringReader: OperatorReader = (operand, reader, name) =>
  named(['date'], ['format', 'timezone', 'onNull'], (values) => {
    if (isNullish(values.date)) return isDocument(operand) && 'onNull' in operand ? values.onNull : null;
    const zone = optionalZone(values.timezone, isDocument(operand) && 'timezone' in operand);
    if (!zone || values.format === null) return null;
    const format =
      values.format ??
      (zone(0) === 0 && values.timezone === undefined ? '%Y-%m-%dT%H:%M:%S.%LZ' : '%Y-%m-%dT%H:%M:%S.%L');
    if (typeof format !== 'string') return fail(18533, "$dateToString requires that 'format' be a string");
    return formatDate(instantOf(values.date), format, zone);
  })(operand, reader, name);

const fromStringReader: OperatorReader = (operand, { parse }, name) => {
  const fields = isDocument(operand) ? operand : fail(40540, '$dateFromString only supports an object as an argument');
  for (const key in fields)
    if (!['dateString', 'format', 'timezone', 'onError', 'onNull'].includes(key))
      fail(40541, `Unrecognized argument to ${name}: ${key}`);
  if (!('dateString' in fields)) fail(40542, "Missing 'dateString' parameter to $dateFromString");
  const expressions = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, parse(value)]));
  return (root, variables) => {
    const text = expressions.dateString!(root, variables);
    if (isNullish(text)) return expressions.onNull?.(root, variables) ?? null;
    try {
      if (typeof text !== 'string')
        return fail(
          'ConversionFailure',
          `$dateFromString requires that 'dateString' be a string, found: ${typeName(text)}`,
        );
      const timezone = expressions.timezone?.(root, variables);
      const format = expressions.format?.(root, variables);
      if ((expressions.timezone && isNullish(timezone)) || (expressions.format && isNullish(format))) return null;
      const zone = timezone === undefined ? undefined : zoneOf(timezone);
      return typeof format === 'string' ? parseDateAs(text, format, zone ?? zoneOf('UTC')) : parseDate(text, zone);
    } catch (error) {
      if (expressions.onError && (error as { codeName?: string }).codeName === 'ConversionFailure')
        return expressions.onError(root, variables);
      throw error;
    }
  };
};

export const DATES: OperatorTable = {
  $year: part((local) => local.getUTCFullYear()),
  $month: part((local) => local.getUTCMonth() + 1),
  $dayOfMonth: part((local) => local.getUTCDate()),
  $dayOfWeek: part((local) => local.getUTCDay() + 1),
  $dayOfYear: part(dayOfYear),
  $hour: part((local) => local.getUTCHours()),
  $minute: part((local) => local.getUTCMinutes()),
  $second: part((local) => local.getUTCSeconds()),
  $millisecond: part((local) => local.getUTCMilliseconds()),
  $week: part(weekOfYear),
  $isoWeek: part(isoWeek),
  $isoWeekYear: part((local) => BigInt(isoWeekYear(local))),
  $isoDayOfWeek: part((local) => local.getUTCDay() || 7),
  $dateToParts: named(['date'], ['timezone', 'iso8601'], toParts),
  $dateFromParts: named(
    [],
    ['year', 'month', 'day', 'isoWeekYear', 'isoWeek', 'isoDayOfWeek', ...TIME_PARTS, 'timezone'],
    fromParts,
  ),
  $dateToString: toStringReader,
  $dateFromString: fromStringReader,
};
