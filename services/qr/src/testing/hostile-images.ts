import { crc32 } from 'node:zlib';
import sharp from 'sharp';

const SIDE = 4_096;

/**
 * Returns images that are damaged, expensive to decode, or disguised as another type. None of them is a valid logo.
 * Each seed yields different files.
 */
export async function hostileImages(seed: number): Promise<Record<string, Buffer>> {
  const [few, many] = [await progressive(seed, 99), await progressive(seed, 5_000)];
  const webp = await noise(seed).webp({ lossless: true }).toBuffer();
  return {
    'a JPEG with 99 scans': few,
    'a JPEG with thousands of scans': many,
    'a PNG that claims 100,000 pixels per side': hugePng(seed),
    'a truncated WebP': webp.subarray(0, webp.length * 0.6),
    'an SVG with nested references': nestedSvg(seed),
    'an SVG with nested filters': filteredSvg(seed),
    'a JPEG that is also an SVG': Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), nestedSvg(seed)]),
    'an SVG that is also a JPEG': Buffer.concat([Buffer.from('<svg '), many]),
  };
}

const noise = (seed: number) =>
  sharp(Buffer.from(Array.from({ length: 256 * 256 * 3 }, (_, i) => (i * 2_654_435_761 * (seed + 1)) >>> 24)), {
    raw: { width: 256, height: 256, channels: 3 },
  });

/** Returns a progressive JPEG with `scans` scans: copies of its last one are appended. */
async function progressive(shade: number, scans: number): Promise<Buffer> {
  const background = { r: shade % 256, g: 90, b: 20 };
  const plain = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background } });
  const file = await plain.jpeg({ progressive: true }).toBuffer();
  const lastScan = file.lastIndexOf(Buffer.of(0xff, 0xda));
  const body = file.subarray(lastScan, -2);
  const scansInFile = file.toString('latin1').split('\xff\xda').length - 1;
  return Buffer.concat([file.subarray(0, -2), ...Array<Buffer>(scans - scansInFile).fill(body), file.subarray(-2)]);
}

/** Returns a PNG (RFC 2083) with only a header. */
function hugePng(seed: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(100_000 + seed, 8);
  header.writeUInt32BE(100_000, 12);
  header.set([8, 6], 16);
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), header]);
}

function nestedSvg(seed: number): Buffer {
  const level = (_: unknown, at: number) => `<g id="a${at + 1}">${`<use xlink:href="#a${at}"/>`.repeat(10)}</g>`;
  const levels = Array.from({ length: 6 }, level).join('');
  return svg(seed, `<g id="a0"><rect width="40" height="20" fill="#c00"/></g>${levels}`);
}

const filteredSvg = (seed: number): Buffer =>
  svg(
    seed,
    `<filter id="f">${'<feGaussianBlur stdDeviation="900"/>'.repeat(6)}</filter>${'<g filter="url(#f)">'.repeat(200)}<rect width="512" height="512" fill="#c00"/>${'</g>'.repeat(200)}`,
  );

const svg = (seed: number, inside: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="512" height="512"><!-- ${seed} -->${inside}</svg>`,
  );
