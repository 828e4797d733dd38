import type { TreeNode, TreeOption } from './tree.js';

/** Returns a completion script for fish 3 and later. */
export function fishCompletion(tree: TreeNode[]): string {
  return `# fish completion for tautan

# Succeeds if the words typed so far, without options, begin with the given command.
# Without a given command, succeeds if no word was typed.
function __tautan_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l path
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${flagsWithValue(tree).join(' ')}
                set skip 1
            case '-*'
            case '*'
                set -a path $word
        end
    end
    set -l wanted (count $argv)
    test $wanted = 0; and test (count $path) = 0; and return 0
    test $wanted -gt 0; and test (count $path) -ge $wanted; and test "$path[1..$wanted]" = "$argv"
end

complete -c tautan -f
${tree.flatMap(lines).join('\n')}`;
}

const flagsWithValue = (tree: TreeNode[]) => [
  ...new Set(tree.flatMap(({ options }) => options.flatMap(({ flags, takesValue }) => (takesValue ? flags : [])))),
];

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

function lines({ path, commands, options, choices, file }: TreeNode): string[] {
  const base = `complete -c tautan -n ${quoted(`__tautan_at ${path}`.trim())}`;
  // Offer subcommands and options of a group only until a subcommand is typed.
  const subcommandBase = commands.length > 0 && path !== '' ? `${base} -n ${quoted(noneSeen(commands))}` : base;
  return [
    ...commands.map(({ name, summary }) => `${subcommandBase} -a ${name} -d ${quoted(summary)}`),
    ...(choices.length > 0 ? [`${base} -a ${quoted(choices.join(' '))}`] : []),
    ...(file ? [`${base} -F`] : []),
    ...options.map((one) => `${subcommandBase} ${optionOf(one)}`),
  ];
}

const noneSeen = (commands: TreeNode['commands']) =>
  `not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`;

function optionOf({ flags, summary, takesValue, choices, file }: TreeOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
  const value = takesValue
    ? file
      ? ' -r -F'
      : choices.length > 0
        ? ` -x -a ${quoted(choices.join(' '))}`
        : ' -x'
    : '';
  return `${names}${value} -d ${quoted(summary)}`;
}
