import type { Terminal } from './terminal.js';

/**
 * Returns text as a QR code of block characters, with black modules on white in every color theme. Returns undefined
 * if the QR code does not fit the terminal or colors are disabled.
 */
export async function terminalQrCode(text: string, { showsColors, width = 0 }: Terminal): Promise<string | undefined> {
  if (!showsColors) return undefined;
  const { renderUnicodeCompact } = await import('uqr');
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n');
  if (lines[0]!.length > width) return undefined;
  return lines.map((line) => `\u001b[97;40m${line}\u001b[0m`).join('\n');
}
