import { command } from '../../command.js';
import { details, printableOrNull } from '../../output/details.js';
import { dnsTable, statusPaint } from '../../output/domain.js';
import { count, printable } from '../../output/text.js';
import { formatDateTime } from '../../output/times.js';
import { domainArgument, findDomain } from './find.js';

export const getDomain = command({
  name: 'get',
  summary: 'Show a domain and its DNS records',
  args: [domainArgument()],
  run: async ({ api, terminal, json }, _options, wanted) => {
    const client = api();
    const { id } = await findDomain(client, wanted);
    const domain = await client.get('/domains/{id}', { path: { id } });
    if (json) return terminal.printJson(domain);
    const { print, style, width } = terminal;
    print(
      details(
        [
          ['Domain', style.bold(printable(domain.domain))],
          ['Status', statusPaint(style, domain.status)(domain.status)],
          ['Problem', printableOrNull(domain.lastError)],
          ['Links', count(domain.linkCount)],
          ['Checked', domain.lastCheckedAt && formatDateTime(domain.lastCheckedAt)],
          ['Id', domain.id],
        ],
        style,
      ),
    );
    print(`\n${dnsTable(domain, style, width)}`);
  },
});
