/** Color channels, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const pattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Returns whether a text is a color: #rgb or #rrggbb. */
export const isColor = (text: string): boolean => pattern.test(text);

/** Returns a color as #rrggbb in lower case. */
export const fullColor = (color: string): string =>
  (color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color).toLowerCase();

const rgb = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
};

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Returns the relative luminance of #rrggbb, 0 to 1 (WCAG 2.2). */
export function luminance(color: string): number {
  const [red, green, blue] = rgb(color).map(linear) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors in any order, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Returns the gray values of #rrggbb, 0 to 255, by the weights of ITU-R BT.709 and of BT.601. Some readers use the
 * former, others the latter.
 */
export function grayValues(color: string): [bt709: number, bt601: number] {
  const [red, green, blue] = rgb(color);
  return [0.2126 * red + 0.7152 * green + 0.0722 * blue, 0.299 * red + 0.587 * green + 0.114 * blue];
}
