import { expect, test } from '@jest/globals';
import { contrast, defaultStyle, pixelsFor, storedStyle, styleChange, warningsOf } from './style.js';

test('black on white causes no warning, and has the maximum contrast', () => {
  expect(warningsOf(defaultStyle, false)).toEqual([]);
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

test('warns about styles that are hard to scan', () => {
  expect(warningsOf({ ...defaultStyle, foreground: '#888888' }, false)).toEqual(['contrast']);
  expect(warningsOf({ ...defaultStyle, background: 'transparent', margin: 0 }, false)).toEqual([
    'transparent',
    'margin',
  ]);
  expect(warningsOf({ ...defaultStyle, logoScale: 0.3 }, true)).toEqual(['logo']);
  expect(warningsOf({ ...defaultStyle, errorCorrection: 'L' }, false)).toEqual(['correction']);
});

test('the contrast of a gradient is checked instead of that of the foreground color', () => {
  const gradient = { type: 'linear', angle: 0, colors: ['#000000', '#111111'] } as const;
  const style = {
    ...defaultStyle,
    foreground: '#999999',
    gradient: { ...gradient, colors: [...gradient.colors] as [string, string] },
  };
  expect(warningsOf(style, false)).toEqual([]);
});

test('a change has only the properties that differ from the loaded ones', () => {
  expect(styleChange({ ...defaultStyle }, defaultStyle)).toEqual({});
  expect(styleChange({ ...defaultStyle, margin: 4 }, defaultStyle)).toEqual({ margin: 4 });
});

test('a change of the foreground includes the color of the markers, even if the latter is unchanged', () => {
  const changed = { ...defaultStyle, foreground: '#222222' };
  expect(styleChange(changed, defaultStyle)).toEqual({ foreground: '#222222', markerColor: '#000000' });
});

test('the stored error correction is H while there is a logo', () => {
  expect(storedStyle(defaultStyle, true)).toEqual({ ...defaultStyle, errorCorrection: 'H' });
  expect(storedStyle(defaultStyle, false)).toEqual(defaultStyle);
});

test('converts a print size in millimeters to pixels at a resolution in dpi', () => {
  expect(pixelsFor(25.4, 300)).toBe(300);
  expect(pixelsFor(40, 300)).toBe(472);
});
