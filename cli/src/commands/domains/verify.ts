import { command } from '../../command.js';
import { fail } from '../../errors.js';
import { dnsTable } from '../../output/domain.js';
import { printable } from '../../output/text.js';
import { domainArgument, findDomain } from './find.js';

export const verifyDomain = command({
  name: 'verify',
  summary: 'Check the DNS records of a domain',
  args: [domainArgument()],
  run: async ({ api, terminal, json }, _options, wanted) => {
    const client = api();
    const { id } = await findDomain(client, wanted);
    const domain = await client.post('/domains/{id}/verify', { path: { id } });
    const { print, style, width } = terminal;
    const verified = domain.status === 'verified';
    if (json) terminal.printJson(domain);
    else {
      print(`${dnsTable(domain, style, width)}\n`);
      if (verified) print(`${style.green('✓')} ${printable(domain.domain)} is verified`);
    }
    if (!verified) throw fail('refused', domain.lastError ?? `${domain.domain} is ${domain.status}.`);
  },
});
