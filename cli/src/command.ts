import { InvalidArgumentError, Option, type Argument } from 'commander';
import type { Context } from './context.js';

/** One command: a row of the table in program.ts. */
export interface CommandRow<Options = Record<string, unknown>> {
  name: string;
  summary: string;
  args?: Argument[];
  options?: Option[];
  /** Example command lines, without the leading `tautan`. */
  examples?: string[];
  /** Subcommands. */
  commands?: CommandRow[];
  run(context: Context, options: Options, ...args: string[]): Promise<void> | void;
}

/** A group of subcommands. */
export interface CommandGroup {
  name: string;
  summary: string;
  commands: (CommandRow | CommandGroup)[];
}

/** Declares a command with typed options. */
export const command = <Options = object>(row: CommandRow<Options>): CommandRow => row as CommandRow;

/** Returns an option that can be repeated. Its value is the list of values. */
export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, earlier: string[] | undefined) => [
    ...(earlier ?? []),
    value,
  ]);

/** Returns a repeatable option with a fixed set of values. */
export function repeatableChoice(flags: string, description: string, choices: string[]): Option {
  const option = new Option(flags, description).choices(choices);
  const check = option.parseArg!;
  return option.argParser((value: string, earlier: string[] | undefined) => [
    ...(earlier ?? []),
    check(value, '') as string,
  ]);
}

/** Returns an option that takes an integer from `min` to `max`. */
export const wholeNumber = (flags: string, description: string, min = 1, max = 1_000_000_000): Option =>
  new Option(flags, description).argParser((value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max.toLocaleString('en-US')}.`);
  });

/** Returns an option that takes a number from `min` to `max`. */
export const decimal = (flags: string, description: string, min: number, max: number): Option =>
  new Option(flags, description).argParser((value: string) => {
    const number = value.trim() === '' ? NaN : Number(value);
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  });
