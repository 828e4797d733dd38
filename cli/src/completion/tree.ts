import type { Argument, Command, Option } from 'commander';

/** Completion data of one command. */
export interface TreeNode {
  /** Words after `tautan`, such as 'links' or 'links create'; '' for the program itself. */
  path: string;
  commands: { name: string; summary: string }[];
  options: TreeOption[];
  /** Allowed values of its first argument. */
  choices: string[];
  /** Whether its first argument is a file name. */
  file: boolean;
}

export interface TreeOption {
  flags: string[];
  summary: string;
  takesValue: boolean;
  choices: string[];
  file: boolean;
}

/** Returns the command tree as a flat list, starting with the program itself. */
export function commandTree(program: Command): TreeNode[] {
  const shared = program.options.map(option);
  const walk = (command: Command, words: string[]): TreeNode[] => {
    const [argument] = command.registeredArguments;
    const node = {
      path: words.join(' '),
      commands: command.commands.map((one) => ({ name: one.name(), summary: one.summary() })),
      options: [...(command === program ? [] : command.options.map(option)), ...shared, help],
      choices: [...(argument?.argChoices ?? [])],
      file: isFile(argument),
    };
    return [node, ...command.commands.flatMap((one) => walk(one, [...words, one.name()]))];
  };
  return walk(program, []);
}

const help: TreeOption = {
  flags: ['-h', '--help'],
  summary: 'show this help',
  takesValue: false,
  choices: [],
  file: false,
};

const option = (one: Option): TreeOption => ({
  flags: [one.short, one.long].filter((flag): flag is string => Boolean(flag)),
  summary: one.description,
  takesValue: one.required || one.optional,
  choices: [...(one.argChoices ?? [])],
  file: one.flags.includes('<file>'),
});

const isFile = (argument: Argument | undefined) => argument?.name() === 'file';

/** Quotes text for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
