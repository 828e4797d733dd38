import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import sharp from 'sharp';
import { MAX_FILE_BYTES, readLogo as read } from './logo-file.js';
import { renderInSubprocess } from './render-in-subprocess.js';
import { assertHarmless } from './svg-logo.js';

const readLogo = (file: Buffer, workspaceId = 'ws_1') => read(file, { workspaceId });
const ns = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (inside: string, attributes = 'width="40" height="20"') =>
  Buffer.from(`<svg ${ns} ${attributes}>${inside}</svg>`);
const red = '<rect width="40" height="20" fill="#c00000"/>';
const refused = { code: 'VALIDATION_ERROR', field: 'logo' };
const pixel = async (content: Buffer, left: number, top: number) => [
  ...(await sharp(content).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
];

describe('an SVG logo', () => {
  test.each([
    ['with a size but without a viewBox', svg(red)],
    ['with a small size', svg(red, 'width="4" height="2" viewBox="0 0 40 20"')],
    ['without a size', svg(red, 'viewBox="0 0 40 20"')],
    [
      'that starts with a declaration and a comment',
      Buffer.from(`<?xml version="1.0"?>\n<!-- by hand -->\n${svg(red).toString()}`),
    ],
    ['with a script', svg(`<script>while (true) {}</script>${red}`)],
  ])('%s is rendered at the maximum size', async (_what, file) => {
    const { content, width, height } = await readLogo(file);
    expect([width, height]).toEqual([512, 256]);
    expect(await pixel(content, 100, 100)).toEqual([0xc0, 0, 0]);
  });

  test('cannot include files', async () => {
    const file = svg(
      `${red}<image href="file://${import.meta.filename}" width="40" height="20"/><image xlink:href="/etc/hostname" width="40" height="20"/>` +
        '<image href="https://example.com/logo.png?size=40&amp;format=png" width="40" height="20"/>',
    );
    const { content } = await readLogo(file);
    expect(content).toEqual((await readLogo(svg(red))).content);
  });

  const nested = (depth: number) =>
    `<g id="a0">${red}</g>${Array.from({ length: depth }, (_, at) => `<g id="a${at + 1}">${`<use xlink:href="#a${at}"/>`.repeat(10)}</g>`).join('')}`;
  test.each([
    ['entities', Buffer.from(`<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg(red).toString()}`)],
    [
      'an XInclude element',
      svg(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="data:text/plain,x" parse="text"/>`),
    ],
    ['a linked style sheet', Buffer.from(`<?xml-stylesheet href="data:text/css,x"?>${svg(red).toString()}`)],
    ['an embedded image', svg('<image href="data:image/png;base64,AAAA"/>')],
    [
      'an embedded image whose markup has a namespace prefix and a character reference',
      svg('<svg:feImage xmlns:svg="http://www.w3.org/2000/svg" xlink:href=\'&#100;ata:image/png;base64,AAAA\'/>'),
    ],
    [
      'an embedded image after an attribute value that contains a closing angle bracket',
      svg('<image id=">" href="data:image/png;base64,AAAA"/>'),
    ],
    [
      'an embedded image after another attribute whose value looks like an href',
      svg(`<image a='href="/' href="data:image/png;base64,AAAA"/>`),
    ],
    [
      'an embedded image with a non-ASCII namespace prefix',
      svg('<é:image xmlns:é="http://www.w3.org/2000/svg" href="data:image/png;base64,AAAA"/>'),
    ],
    [
      'an XInclude element with a non-ASCII namespace prefix',
      svg('<é:include xmlns:é="http://www.w3.org/2001/XInclude" href="data:text/plain,x" parse="text"/>'),
    ],
    ['a character encoding other than UTF-8', Buffer.from(svg(red).toString(), 'utf16le')],
    ['invalid bytes', Buffer.concat([svg(red), Buffer.from([0xff, 0xfe])])],
    ['broken markup', Buffer.from(`<svg ${ns} width="9" height="9"><g>`)],
    ['huge dimensions', svg(red, 'width="4097" height="20"')],
    ['zero dimensions', svg(red, 'width="0" height="0"')],
    ['deeply nested groups', svg(`${'<g opacity=".9">'.repeat(2_000)}${red}${'</g>'.repeat(2_000)}`)],
  ])('with %s is rejected', async (_what, file) => {
    await expect(readLogo(file)).rejects.toMatchObject(refused);
  });

  test.each([
    ['a single attribute name', 'a'],
    ['attribute names', 'a '],
    ['spaces', ' '],
    ['long attribute names and long runs of spaces', `${'a'.repeat(2_000)}${' '.repeat(150_000)}`],
    ['equals signs', '='],
    ['quotation marks', '"'],
    ['namespace prefixes', '<a:'],
    ['unclosed image tags', '<image '],
  ])('with 2 MiB of %s is checked in a short time', (_what, part) => {
    const file = svg(`<image ${part.repeat((MAX_FILE_BYTES - 500) / part.length)}`);
    const check = () => assertHarmless(file, (why) => new Error(why));
    // A check that takes quadratic time can only be interrupted from outside.
    expect(() => void runInNewContext('check()', { check }, { timeout: 10_000 })).not.toThrow();
  });

  test('that takes too long to render is aborted, and does not delay logos of other workspaces', async () => {
    // The other logo takes much less CPU time than this one is allowed.
    const limits = { cpuMs: 3_000, timeoutMs: 30_000 };
    let isAborted = false;
    const endless = read(svg(nested(12)), { workspaceId: 'ws_1' }, limits).finally(() => (isAborted = true));
    const rejected = expect(endless).rejects.toMatchObject(refused);
    await readLogo(
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#0a0' } })
        .png()
        .toBuffer(),
      'ws_2',
    );
    expect(isAborted).toBe(false);
    await rejected;
  });
});

describe('a logo', () => {
  const canvas = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#00c000' } });

  test('that a busy machine does not render in time is reported as unavailable, not as invalid', async () => {
    const rendering = renderInSubprocess(svg(red), 'svg', { workspaceId: 'ws_1' }, { cpuMs: 4_000, timeoutMs: 1 });
    await expect(rendering).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('with several frames becomes its first frame', async () => {
    const frames = Buffer.concat([Buffer.alloc(30 * 20 * 3, 0x40), Buffer.alloc(30 * 20 * 3, 0xf0)]);
    const file = await sharp(frames, { raw: { width: 30, height: 40, channels: 3, pageHeight: 20 } })
      .webp({ lossless: true, loop: 0, delay: [100, 100] })
      .toBuffer();
    expect((await sharp(file, { pages: -1 }).metadata()).pages).toBe(2);
    const { content, width, height } = await readLogo(file);
    expect([width, height, await pixel(content, 5, 5)]).toEqual([30, 20, [0x40, 0x40, 0x40]]);
  });

  test('is rotated by its orientation metadata', async () => {
    const { width, height } = await readLogo(await canvas(60, 30).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect([width, height]).toEqual([30, 60]);
  });

  test('can have sides of up to 4,096 pixels', async () => {
    expect(await readLogo(await canvas(4_096, 4_096).png().toBuffer())).toMatchObject({ width: 512, height: 512 });
    for (const [width, height] of [
      [4_097, 8],
      [8, 4_097],
    ] as const) {
      await expect(readLogo(await canvas(width, height).png().toBuffer())).rejects.toMatchObject(refused);
    }
  });

  test('that is truncated is rejected', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const file = await canvas(300, 300).toFormat(format).toBuffer();
      await expect(readLogo(file.subarray(0, file.length * 0.6))).rejects.toMatchObject(refused);
    }
  });

  test.each(['gif', 'tiff', 'avif'] as const)('cannot be in the format %s', async (format) => {
    await expect(readLogo(await canvas(9, 9).toFormat(format).toBuffer())).rejects.toMatchObject(refused);
  });
});
