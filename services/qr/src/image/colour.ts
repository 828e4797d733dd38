/** A colour's parts, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const form = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Whether a text is a colour: #rgb or #rrggbb. */
export const isColour = (text: string): boolean => form.test(text);

/** A colour as #rrggbb in lower case. */
export const fullColour = (colour: string): string =>
  (colour.length === 4 ? `#${[...colour.slice(1)].map((digit) => digit + digit).join('')}` : colour).toLowerCase();

const rgb = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
};

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance, 0 to 1 (WCAG 2.2), of #rrggbb. */
export function luminance(colour: string): number {
  const [red, green, blue] = rgb(colour).map(linear) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2); which of them is the lighter one does not matter. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** How bright readers see #rrggbb, 0 to 255: by the weights of ITU-R BT.709, and by those of BT.601. Both are in use. */
export function greys(colour: string): [bt709: number, bt601: number] {
  const [red, green, blue] = rgb(colour);
  return [0.2126 * red + 0.7152 * green + 0.0722 * blue, 0.299 * red + 0.587 * green + 0.114 * blue];
}
