import { Argument } from 'commander';
import { command } from '../command.js';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { commandTree } from '../completion/tree.js';
import { zshCompletion } from '../completion/zsh.js';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export const completion = command({
  name: 'completion',
  summary: 'Print a shell completion script',
  args: [new Argument('<shell>', 'your shell').choices(Object.keys(writers))],
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/tautan',
    'completion zsh > "${fpath[1]}/_tautan"',
    'completion fish > ~/.config/fish/completions/tautan.fish',
  ],
  run: async ({ terminal }, _options, shell) => {
    // Imported here because program.ts imports this file.
    const { buildProgram } = await import('../program.js');
    terminal.print(writers[shell as keyof typeof writers](commandTree(buildProgram())));
  },
});
