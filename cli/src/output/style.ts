const codes = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Functions that color or emphasize text for a terminal (ECMA-48 SGR). */
export type Style = Record<keyof typeof codes, (text: string) => string>;

/** Returns a `Style`. If `hasColors` is false, its functions return the text unchanged. */
export function styles(hasColors: boolean): Style {
  const paint = ([on, off]: readonly [number, number]) =>
    hasColors ? (text: string) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`) : (text: string) => text;
  return Object.fromEntries(Object.entries(codes).map(([name, pair]) => [name, paint(pair)])) as Style;
}
