import fc from 'fast-check';
import sharp from 'sharp';
import { renderSvg, type LogoImage } from '../image/svg.js';
import { readStyle, type StyleConfig } from '../image/style.js';
import { rasterize } from '../image/raster.js';
import { readQr, type Readings } from './readers.js';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const dark = fc
  .tuple(...[90, 90, 90].map((max) => fc.integer({ min: 0, max: max })))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
// About half of the foreground colors are dark, so that enough styles are accepted.
const ink = fc.oneof(dark, color);
const shape = fc.constantFrom('square', 'rounded', 'circle');

/** Random styles; some are rejected. */
const styleInputs = fc.record(
  {
    foreground: ink,
    background: fc.oneof(fc.constantFrom('#ffffff', 'transparent'), color),
    size: fc.oneof(fc.integer({ min: 64, max: 320 }), fc.integer({ min: 64, max: 1_200 })),
    margin: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 16 })),
    errorCorrection: fc.constantFrom('L', 'M', 'Q', 'H'),
    dotStyle: fc.constantFrom('square', 'rounded', 'dots', 'classy'),
    markerBorder: shape,
    markerCenter: shape,
    markerColor: ink,
    gradient: fc.record({
      type: fc.constantFrom('linear', 'radial'),
      angle: fc.integer({ min: 0, max: 360 }),
      colors: fc.tuple(ink, ink),
    }),
    logoScale: fc.double({ min: 0.1, max: 0.3, noNaN: true }),
  },
  { requiredKeys: [] },
);

const logoOf = (svg: string, width: number, height: number) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${svg}</svg>`))
    .png()
    .toBuffer()
    .then((content) => ({ content, width, height }));

/** Dark, light, wide and tall logos. */
export const logos: Promise<LogoImage>[] = [
  logoOf('<rect width="200" height="200"/>', 200, 200),
  logoOf(
    '<circle cx="64" cy="64" r="64" fill="#0a7"/><path d="M30 64l24 24 44-52" stroke="#fff" stroke-width="14" fill="none"/>',
    128,
    128,
  ),
  logoOf('<rect width="300" height="100" fill="#fff"/><rect y="30" width="300" height="40" fill="#c00"/>', 300, 100),
  logoOf('<rect width="60" height="200" fill="#123"/>', 60, 200),
];

/** The alphabet of the link service's slugs. */
const slugCharacters = [...'23456789abcdefghjkmnpqrstuvwxyz'];
/** Short URLs of realistic lengths. */
const texts = fc
  .tuple(
    fc.constantFrom(
      'https://t.co',
      'http://127.0.0.1:41234',
      'https://go.example.com',
      'https://links.example-company.co.id',
    ),
    fc.array(fc.constantFrom(...slugCharacters), { minLength: 7, maxLength: 7 }),
  )
  .map(([base, slug]) => `${base}/${slug.join('')}`);

/** Random images; `logo` is an index into `logos`, or null for none. */
export const imageInputs = fc.record({
  text: texts,
  input: styleInputs,
  logo: fc.option(fc.nat({ max: logos.length - 1 }), { nil: null }),
});

/** An accepted image: its text, its style and what the readers found. */
export interface Outcome {
  text: string;
  style: StyleConfig;
  hasLogo: boolean;
  readings: Readings;
}

type ImageInput = ReturnType<typeof imageInputs.generate>['value'];

/** Renders an image and reads it. Returns undefined if its style is rejected. */
export async function drawAndRead({ text, input, logo: logoIndex }: ImageInput): Promise<Outcome | undefined> {
  const logo = logoIndex === null ? null : await logos[logoIndex]!;
  try {
    const style = readStyle(input, logo !== null);
    const svg = renderSvg({ text, style, logo, size: style.size });
    return { text, style, hasLogo: logo !== null, readings: await readQr(await rasterize(Buffer.from(svg))) };
  } catch (error) {
    if ((error as { code?: string }).code === 'VALIDATION_ERROR') return undefined;
    throw error;
  }
}
