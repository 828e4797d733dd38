import { Argument } from 'commander';
import { command } from '../../command.js';
import { dnsTable } from '../../output/domain.js';
import { printable } from '../../output/text.js';

export const addDomain = command({
  name: 'add',
  summary: 'Add a custom domain',
  args: [new Argument('<domain>', 'domain name, such as go.example.com')],
  run: async ({ api, terminal, json, suggest }, _options, name) => {
    const domain = await api().post('/domains', { body: { domain: name } });
    if (json) return terminal.printJson(domain);
    const { print, style, width } = terminal;
    const shown = printable(domain.domain);
    print(`${style.green('✓')} Added ${shown} (${domain.id}). Set these records in its DNS:\n`);
    print(dnsTable(domain, style, width));
    print(`\nThen: ${suggest(`domains verify ${shown}`)}`);
  },
});
