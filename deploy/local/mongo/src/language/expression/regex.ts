import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { compileRegex, makeRegex } from '../filter/regex.js';
import { type Document, documentOf } from '../values.js';
import { isNullish, named, type OperatorReader, type OperatorTable } from './args.js';

/** The expression of `{ input, regex, options }`, and the text; undefined where the input or the pattern is null. */
function operands({ input, regex, options }: Document, name: string): { text: string; regex: RegExp } | undefined {
  if (!isNullish(input) && typeof input !== 'string') fail(51104, `${name} needs 'input' to be of type string`);
  if (!isNullish(regex) && typeof regex !== 'string' && !(regex instanceof BSONRegExp))
    fail(51105, `${name} needs 'regex' to be of type string or regex`);
  if (!isNullish(options) && typeof options !== 'string') fail(51106, `${name} needs 'options' to be of type string`);
  if (isNullish(input) || isNullish(regex)) return undefined;
  const given = options ?? '';
  if (regex instanceof BSONRegExp && regex.options && given)
    fail(51107, `${name}: found regex option(s) specified in both 'regex' and 'option' fields`);
  const pattern =
    regex instanceof BSONRegExp ? makeRegex(regex.pattern, regex.options || given) : makeRegex(regex, given);
  return { text: input, regex: compileRegex(pattern) };
}

function found(match: RegExpMatchArray, text: string): Document {
  return documentOf({
    match: match[0],
    idx: [...text.slice(0, match.index)].length,
    captures: match.slice(1).map((capture) => (capture as string | undefined) ?? null),
  });
}

const overMatches = (evaluate: (text: string, regex: RegExp) => unknown, ofNothing: unknown): OperatorReader =>
  named(['input', 'regex'], ['options'], (values, name) => {
    const given = operands(values, name);
    return given ? evaluate(given.text, given.regex) : ofNothing;
  });

function first(text: string, regex: RegExp): unknown {
  const match = regex.exec(text);
  return match ? found(match, text) : null;
}

export const REGEXES: OperatorTable = {
  $regexMatch: overMatches((text, regex) => regex.test(text), false),
  $regexFind: overMatches(first, null),
  $regexFindAll: overMatches(
    (text, regex) =>
      Array.from(text.matchAll(new RegExp(regex.source, `${regex.flags}g`)), (match) => found(match, text)),
    [],
  ),
};
