import { Option } from 'commander';
import type { QrCode } from '../../api/records.js';
import { command, repeatableChoice } from '../../command.js';
import { fail } from '../../errors.js';
import { qrDetails } from '../../output/qr.js';
import { counted, printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findQrCode, qrArgument, qrBody, qrOptions, type QrFields } from './fields.js';

/** API fields that `--clear` can clear, keyed by the name that `--clear` takes. */
const clearable = {
  title: 'title',
  tags: 'tags',
  expires: 'expiresAt',
  'max-scans': 'maxScans',
  style: 'styleConfig',
  logo: 'logoRunRef',
} as const;

interface Options extends QrFields {
  to?: string;
  status?: QrCode['status'];
  clear?: (keyof typeof clearable)[];
}

export const updateQrCode = command<Options>({
  name: 'update',
  summary: 'Change a QR code; printed copies remain valid',
  args: [qrArgument()],
  options: [
    new Option('--to <url>', 'new destination, for a code without a link'),
    ...qrOptions('tag that replaces the current ones; may be repeated'),
    new Option('--status <status>', 'archived or expired stops the code, active resumes it').choices([
      'active',
      'archived',
      'expired',
    ]),
    repeatableChoice('--clear <field>', 'clear a field; may be repeated', Object.keys(clearable)),
  ],
  examples: ['qr update k7m2x9p --to https://example.com/autumn --clear max-scans'],
  run: async ({ api, terminal, json }, { to, status, clear = [], ...fields }, idOrSlug) => {
    const client = api();
    const cleared = Object.fromEntries(clear.map((name) => [clearable[name], null]));
    const body = {
      ...(to !== undefined && { url: to }),
      ...(await qrBody(client, fields)),
      ...(status && { status }),
      ...cleared,
    };
    if (Object.keys(body).length === 0)
      throw fail('usage', 'Nothing to change.', { hint: 'See: tautan qr update --help' });
    const { id } = await findQrCode(client, idOrSlug);
    const code = await client.patch('/qr-codes/{id}', { path: { id }, body });
    if (json) terminal.printJson(code);
    else terminal.print(qrDetails(code, terminal.style));
  },
});

export const deleteQrCode = command<{ yes?: boolean }>({
  name: 'delete',
  summary: 'Delete a QR code; printed copies stop working',
  args: [qrArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, idOrSlug) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, slug, scanCount } = await findQrCode(api, idOrSlug);
    await confirm(context, `Delete the QR code ${printable(slug)} (${counted(scanCount, 'scan')})?`, sure);
    const data = await api.delete('/qr-codes/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Deleted the QR code ${printable(slug)}`);
  },
});
