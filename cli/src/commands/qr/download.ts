import { Option } from 'commander';
import { command, wholeNumber } from '../../command.js';
import { bodyOf } from '../../export/body.js';
import { save, saveOptions, type SaveOptions } from '../../export/save.js';
import { printable } from '../../output/text.js';
import { formatDateTime } from '../../output/times.js';
import { findQrCode, qrArgument } from './fields.js';

interface Options extends SaveOptions {
  format?: 'png' | 'svg';
  size?: number;
}

export const downloadQrCode = command<Options>({
  name: 'download',
  summary: 'Download the image of a QR code as PNG or SVG',
  args: [qrArgument()],
  options: [
    ...saveOptions(),
    new Option('--format <format>', 'image format (default: from the file name, else png)').choices(['png', 'svg']),
    wholeNumber('--size <pixels>', 'width and height (default: from the style of the QR code)', 64, 2_048),
  ],
  examples: ['qr download k7m2x9p --output poster.svg', 'qr download k7m2x9p --size 1024'],
  run: async (context, { output, force, format = formatOf(output), size }, idOrSlug) => {
    const api = context.api();
    const { id, slug } = await findQrCode(api, idOrSlug);
    const target = { output: output ?? `${slug}.${format}`, ...(force && { force }) };
    await save(context, target, async () => {
      return bodyOf(await api.fetch('/qr-codes/{id}/download', { path: { id }, query: { format, size } }));
    });
  },
});

const formatOf = (output: string | undefined): 'png' | 'svg' =>
  output?.toLowerCase().endsWith('.svg') ? 'svg' : 'png';

export const shareQrCode = command({
  name: 'share',
  summary: 'Print an image URL that works without signing in, for a limited time',
  args: [qrArgument()],
  run: async ({ api, terminal, json }, _options, idOrSlug) => {
    const client = api();
    const { id } = await findQrCode(client, idOrSlug);
    const token = await client.post('/qr-codes/{id}/download-token', { path: { id } });
    if (json) return terminal.printJson(token);
    terminal.print(printable(token.url));
    terminal.note(terminal.noteStyle.dim(`  valid until ${formatDateTime(token.expiresAt)}`));
  },
});
