import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument } from 'commander';
import type { Api } from '../../api/client.js';
import { command } from '../../command.js';
import { fail } from '../../errors.js';
import { bodyOf } from '../../export/body.js';
import { save, saveOptions, type SaveOptions } from '../../export/save.js';
import { reasonOf } from '../../output/file-problem.js';
import { formatBytes } from '../../output/text.js';

/** Uploads an image file as a logo. Throws `usage` if it cannot be read. */
export async function uploadLogo(api: Api, path: string) {
  const content = await readFile(path).catch((error: unknown) => {
    throw fail('usage', `${path} cannot be read: ${reasonOf(error)}.`);
  });
  const form = new FormData();
  form.set('logo', new Blob([content]), basename(path));
  return api.post('/qr-codes/upload-logo', { body: form });
}

export const uploadLogoCommand = command({
  name: 'upload-logo',
  summary: 'Upload a logo for QR codes and print its reference',
  args: [new Argument('<file>', 'PNG, JPEG, WebP or SVG image of up to 2 MiB')],
  examples: ['qr upload-logo logo.svg'],
  run: async ({ api, terminal, json }, _options, path) => {
    const logo = await uploadLogo(api(), path);
    if (json) return terminal.printJson(logo);
    terminal.print(logo.logoRunRef);
    terminal.note(terminal.noteStyle.dim(`  ${logo.width} × ${logo.height} pixels, ${formatBytes(logo.bytes)}`));
  },
});

export const downloadLogo = command<SaveOptions>({
  name: 'download-logo',
  summary: 'Download an uploaded logo as PNG',
  args: [new Argument('<reference>', 'reference of the logo (lgo_…)')],
  options: saveOptions(),
  run: (context, { output = 'logo.png', force }, ref) =>
    save(context, { output, ...(force && { force }) }, async () =>
      bodyOf(await context.api().fetch('/qr-codes/logos/{ref}', { path: { ref } })),
    ),
});
