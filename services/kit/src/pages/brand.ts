import { z } from 'zod';
import { isPrintable } from '../values/text.js';

/** Name, logo and color of the pages that visitors see. */
export interface Brand {
  name: string;
  /** An https URL or a `data:` URI; null without a logo. */
  logo: string | null;
  /** `#rrggbb` in lower case. */
  color: string;
}

export const PRODUCT_NAME = 'Tautan';
export const PRODUCT_COLOR = '#0f766e';
/** Maximum length of a brand's name, characters. */
export const MAX_BRAND_NAME = 60;

const MAX_LOGO_DATA_LENGTH = 65_536;
const MAX_LOGO_URL_LENGTH = 2_048;
const dataImage = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;
const colorForm = /^#[0-9a-f]{6}$/;

export const isBrandColor = (text: string): boolean => colorForm.test(text);

/** Returns whether a text may be the URL of a logo: https, without credentials, at most 2,048 characters. */
export function isLogoUrl(text: string): boolean {
  if (text.length > MAX_LOGO_URL_LENGTH || !/^https:\/\//i.test(text) || !isPrintable(text) || !URL.canParse(text))
    return false;
  const { username, password, href } = new URL(text);
  return username === '' && password === '' && href.length <= MAX_LOGO_URL_LENGTH;
}

const isLogo = (text: string): boolean =>
  isLogoUrl(text) || (text.length <= MAX_LOGO_DATA_LENGTH && dataImage.test(text));

/** Settings of the brand of an installation. */
export const brandSettings = {
  /** Name on the pages that visitors see. */
  BRAND_NAME: z
    .string()
    .trim()
    .min(1)
    .max(MAX_BRAND_NAME)
    .refine(isPrintable, 'must contain only printable characters')
    .default(PRODUCT_NAME),
  /**
   * Logo on the pages that visitors see: an https URL, or a base64 `data:` URI of a PNG, JPEG, WebP or SVG image. A
   * `data:` URI has at most 65,536 characters, and an https URL 2,048.
   */
  BRAND_LOGO: z.string().refine(isLogo, 'must be an https address, or a data: URI of an image in base64').optional(),
  /** Color of the pages that visitors see, `#rrggbb`. */
  BRAND_COLOR: z.string().toLowerCase().refine(isBrandColor, 'must be a color such as #0f766e').default(PRODUCT_COLOR),
};

type BrandConfig = z.infer<z.ZodObject<typeof brandSettings>>;

export const brandOf = ({ BRAND_NAME, BRAND_LOGO, BRAND_COLOR }: BrandConfig): Brand => ({
  name: BRAND_NAME,
  logo: BRAND_LOGO ?? null,
  color: BRAND_COLOR,
});

/** Returns black or white, whichever has the higher contrast with a color: at least 4.5:1, as WCAG 2.2 AA requires. */
export const textOn = (color: string): string =>
  contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000';

/** Returns the contrast ratio of two colors, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
