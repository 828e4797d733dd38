import { quoted, type TreeNode, type TreeOption } from './tree.js';

/** Returns a completion script for bash 3.2 and later. */
export function bashCompletion(tree: TreeNode[]): string {
  const flagsWithValue = [
    ...new Set(
      tree.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue)).flatMap(({ flags }) => flags),
    ),
  ];
  return `# bash completion for tautan

_tautan() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous='' path='' word expects='' at words='' files=''
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ -n $expects ]]; then expects=''; continue; fi
    case $word in
      ${flagsWithValue.join('|')}) expects=$word ;;
      -*) ;;
      *) case "$path $word" in
${tree.flatMap(pathCases).join('\n')}
        esac ;;
    esac
  done
  previous=$expects
  case "$path:$previous" in
${tree.flatMap(valueCases).join('\n')}
    *)
      [[ -n $previous ]] && return
      case $path in
${tree.map(wordsCase).join('\n')}
      esac ;;
  esac
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}

complete -F _tautan tautan`;
}

/** Returns the cases that extend the path by a subcommand. */
const pathCases = ({ path, commands }: TreeNode) =>
  commands.map(({ name }) => `        ${quoted(`${path} ${name}`)}) path=${quoted(`${path} ${name}`.trim())} ;;`);

/** Returns the cases for options that take a fixed set of values or a file. */
const valueCases = ({ path, options }: TreeNode) =>
  options.filter(({ choices, file }) => choices.length > 0 || file).map((one) => valueCase(path, one));

function valueCase(path: string, { flags, choices, file }: TreeOption): string {
  const patterns = flags.map((flag) => quoted(`${path}:${flag}`)).join('|');
  return `    ${patterns}) ${file ? 'files=1' : `words=${quoted(choices.join(' '))}`} ;;`;
}

/** Returns the case that offers the options of a command, or its subcommands and the values of its first argument. */
function wordsCase({ path, commands, options, choices, file }: TreeNode): string {
  const words = [...commands.map(({ name }) => name), ...choices].join(' ');
  const flags = options.flatMap((one) => one.flags.filter((flag) => flag.startsWith('--'))).join(' ');
  const rest = file ? 'files=1' : `words=${quoted(words)}`;
  return `        ${quoted(path)}) if [[ $current == -* ]]; then words=${quoted(flags)}; else ${rest}; fi ;;`;
}
