import { Argument, Option } from 'commander';
import { command } from '../../command.js';
import { fail } from '../../errors.js';
import { terminalQrCode } from '../../output/qr-code.js';
import { printable } from '../../output/text.js';
import { findLink } from '../find.js';
import { domainOption } from '../links/fields.js';
import { qrBody, qrOptions, type QrFields } from './fields.js';

interface Options extends QrFields {
  link?: string;
  domain?: string;
}

export const createQrCode = command<Options>({
  name: 'create',
  summary: 'Create a QR code for a URL or a link',
  args: [new Argument('[url]', 'destination; omit it with --link')],
  options: [
    new Option('--link <link>', 'id or slug of the link that the code redirects to'),
    domainOption(),
    ...qrOptions(),
  ],
  examples: [
    'qr create https://example.com/poster --title Poster --dots rounded --foreground "#1a2b5c"',
    'qr create --link spring --logo logo.svg',
  ],
  run: async ({ api, terminal, json }, { link, domain, ...fields }, url) => {
    if ((url === undefined) === (link === undefined)) throw fail('usage', 'Pass either a URL or --link.');
    if (link === undefined && domain !== undefined) throw fail('usage', 'Pass --domain only with --link.');
    const client = api();
    const target = link === undefined ? { url } : { linkId: (await findLink(client, link, domain)).id };
    const code = await client.post('/qr-codes', { body: { ...target, ...(await qrBody(client, fields)) } });
    if (json) return terminal.printJson(code);
    const { noteStyle: style, note, print } = terminal;
    print(code.id);
    note(style.dim(`${printable(code.shortUrl)} → ${printable(code.url ?? '')}`));
    const drawn = await terminalQrCode(code.shortUrl, terminal);
    if (drawn) note(`\n${drawn}`);
  },
});
