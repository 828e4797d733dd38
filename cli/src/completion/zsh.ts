import { quoted, type TreeNode, type TreeOption } from './tree.js';

/** Returns a completion script for zsh, to be saved as _tautan in a folder of $fpath, or sourced. */
export function zshCompletion(tree: TreeNode[]): string {
  return `#compdef tautan
# zsh completion for tautan

${tree.map(nodeFunction).join('\n\n')}

if [[ $funcstack[1] == _tautan ]]; then
  _tautan "$@"
else
  compdef _tautan tautan
fi`;
}

const nameOf = (path: string) => ['_tautan', ...path.split(' ').filter(Boolean)].join('_');

/**
 * Returns the function that completes one command: its options, then its subcommands or argument. A first word that is
 * not a subcommand is taken as the argument.
 */
function nodeFunction(node: TreeNode): string {
  const { path, commands, options } = node;
  const specs = options.flatMap(optionSpecs);
  if (commands.length === 0)
    return `${nameOf(path)}() {\n  _arguments -S ${[...specs, ...argumentSpecs(node)].join(' \\\n    ')}\n}`;
  const rows = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n');
  const cases = commands.map(({ name }) => `      ${name}) ${nameOf(`${path} ${name}`)} ;;`).join('\n');
  return `${nameOf(path)}() {
  local line state
  local -a commands=(
${rows}
  )
  _arguments -C -S ${[...specs, `'1:command:->command'`, `'*::arg:->arguments'`].join(' \\\n    ')}
  case $state in
    command) _describe command commands ;;
    arguments) case $line[1] in
${cases}
      *) _arguments -S ${[...specs, quoted('*:argument:()')].join(' \\\n        ')} ;;
    esac ;;
  esac
}`;
}

const escaped = (text: string) => text.replace(/[[\]:\\]/g, '\\$&');

/** Returns the specifications for _arguments, one per option name. */
const optionSpecs = ({ flags, summary, takesValue, choices, file }: TreeOption) =>
  flags.map((flag) => quoted(`*${flag}[${escaped(summary)}]${takesValue ? `:value:${action(choices, file)}` : ''}`));

const action = (choices: string[], file: boolean) =>
  file ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : '';

/**
 * Returns the specifications of the arguments for _arguments: the first with its known values, then any number without
 * completions, so that options are still completed after them.
 */
const argumentSpecs = ({ choices, file }: TreeNode) => [
  ...(choices.length > 0 || file ? [quoted(`1:argument:${action(choices, file)}`)] : []),
  quoted('*:argument:()'),
];
