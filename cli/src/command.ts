import { InvalidArgumentError, Option, type Argument } from 'commander';
import type { Context } from './context.js';

/** One command: a row of the table in program.ts. */
export interface CommandRow<Options = Record<string, unknown>> {
  name: string;
  summary: string;
  args?: Argument[];
  options?: Option[];
  /** Command lines to try, without the leading `tautan`. */
  examples?: string[];
  /** Commands below this one. */
  commands?: CommandRow[];
  run(context: Context, options: Options, ...args: string[]): Promise<void> | void;
}

/** Commands under one word. */
export interface CommandGroup {
  name: string;
  summary: string;
  commands: (CommandRow | CommandGroup)[];
}

/** Types a row's `run` by its options. */
export const command = <Options = object>(row: CommandRow<Options>): CommandRow => row as CommandRow;

/** An option that may be given several times; its values come as a list. */
export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, earlier: string[] | undefined) => [
    ...(earlier ?? []),
    value,
  ]);

/** A repeatable option whose values are among a few. */
export function repeatableChoice(flags: string, description: string, choices: string[]): Option {
  const option = new Option(flags, description).choices(choices);
  const check = option.parseArg!;
  return option.argParser((value: string, earlier: string[] | undefined) => [
    ...(earlier ?? []),
    check(value, '') as string,
  ]);
}

/** An option that takes a whole number within bounds. */
export const wholeNumber = (flags: string, description: string, least = 1, most = 1_000_000_000): Option =>
  new Option(flags, description).argParser((value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`);
  });

/** An option that takes a number within bounds. */
export const decimal = (flags: string, description: string, least: number, most: number): Option =>
  new Option(flags, description).argParser((value: string) => {
    const number = value.trim() === '' ? NaN : Number(value);
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  });
