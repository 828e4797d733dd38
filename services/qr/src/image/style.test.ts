import { describe, expect, test } from '@jest/globals';
import { patchStyle, readStyle } from './style.js';

const defaults = {
  foreground: '#000000',
  background: '#ffffff',
  size: 600,
  margin: 2,
  errorCorrection: 'M',
  dotStyle: 'square',
  markerBorder: 'square',
  markerCenter: 'square',
  markerColor: '#000000',
  gradient: null,
  logoScale: 0.2,
};
const refusal = (input: unknown, hasLogo = false) => {
  try {
    return readStyle(input, hasLogo);
  } catch (error) {
    const { code, field } = error as { code: string; field: string };
    return [code, field];
  }
};

describe('a style', () => {
  test('has the default for every field that is not given', () => expect(readStyle({}, false)).toEqual(defaults));

  test('keeps the given fields, with colors in full notation', () => {
    const given = {
      foreground: '#194',
      background: 'transparent',
      size: 64,
      margin: 16,
      errorCorrection: 'L',
      dotStyle: 'classy',
      markerBorder: 'circle',
      markerCenter: 'rounded',
      markerColor: '#0000Aa',
      gradient: { type: 'radial', angle: 360, colors: ['#123', '#400000'] },
      logoScale: 0.3,
    };
    expect(readStyle(given, false)).toEqual({
      ...given,
      foreground: '#119944',
      markerColor: '#0000aa',
      gradient: { type: 'radial', angle: 360, colors: ['#112233', '#400000'] },
    });
  });

  test('uses the default for null', () => {
    const nothing = Object.fromEntries(Object.keys(defaults).map((field) => [field, null]));
    expect(readStyle(nothing, false)).toEqual(defaults);
  });

  test('uses error correction H with a logo', () => {
    expect(readStyle({ errorCorrection: 'L' }, true).errorCorrection).toBe('H');
  });

  test('uses the foreground color for markers by default', () => {
    expect(readStyle({ foreground: '#123456' }, false).markerColor).toBe('#123456');
  });

  test.each([[null], ['{}'], [5], [[]]])('cannot be %j', (input) =>
    expect(refusal(input)).toEqual(['VALIDATION_ERROR', 'styleConfig']),
  );

  test.each([
    ['foreground', ['black', '#12', '#1234567', 'transparent', 5, '#gggggg']],
    ['background', ['none', '#ff', false]],
    ['size', [63, 2_049, 100.5, '600', Number.NaN]],
    ['margin', [-1, 17, 1.5]],
    ['errorCorrection', ['m', 'X', '']],
    ['dotStyle', ['round', 'circle']],
    ['markerBorder', ['dots']],
    ['markerCenter', ['Square']],
    ['markerColor', ['transparent', '']],
    ['gradient', ['linear', [], 5]],
    ['logoScale', [0.09, 0.31, '0.2']],
    ['unheardOf', [1]],
  ])('is rejected for an invalid %s', (field, values: unknown[]) => {
    for (const value of values)
      expect(refusal({ [field]: value })).toEqual(['VALIDATION_ERROR', `styleConfig.${field}`]);
  });

  test.each([
    ['gradient.type', { type: 'conic', colors: ['#000', '#000'] }],
    ['gradient.angle', { angle: 361, colors: ['#000', '#000'] }],
    ['gradient.colors', {}],
    ['gradient.colors', { colors: ['#000'] }],
    ['gradient.colors.1', { colors: ['#000', 'red'] }],
    ['gradient.stops', { colors: ['#000', '#000'], stops: 2 }],
  ])('is rejected for an invalid %s', (field, gradient) => {
    expect(refusal({ gradient })).toEqual(['VALIDATION_ERROR', `styleConfig.${field}`]);
  });
});

describe('colors', () => {
  test.each([
    ['foreground', { foreground: '#ffffff' }],
    ['foreground', { foreground: '#b0b0b0' }],
    ['foreground', { foreground: '#a4a4a4', background: 'transparent' }],
    ['background', { background: '#000000' }],
    ['background', { background: '#404040' }],
    ['foreground', { foreground: '#ffffff', background: '#000000' }],
    ['markerColor', { markerColor: '#eeeeee' }],
    ['gradient.colors.1', { gradient: { colors: ['#000', '#eee'] } }],
    ['gradient.colors.0', { gradient: { colors: ['#999', '#000'] } }],
    // Too dark, although its contrast ratio with the foreground, 2.9:1, is above the minimum of 2.5:1.
    ['background', { background: '#a91e28' }],
  ])('that QR code readers cannot distinguish are rejected, naming %s: %j', (field, input) => {
    expect(refusal(input)).toEqual(['VALIDATION_ERROR', `styleConfig.${field}`]);
  });

  test.each([
    [{ background: '#000000', foreground: '#333333' }, 'must be darker than the background.'],
    [{ background: '#000000' }, 'must be lighter than the foreground.'],
    [{ background: '#707070' }, 'must have a contrast ratio of at least 2.5:1 with the foreground.'],
    [{ background: '#aaaaaa' }, 'is too close to the foreground for QR code readers.'],
    [{ background: '#bebebe' }, /must be more than twice as bright as the foreground; /],
    [{ background: '#e0e0e0' }, /is too dark compared to the other colors/],
  ] as const)(
    'that QR code readers cannot distinguish are rejected with a message about the color that the error names: %j',
    (input, why) => {
      const current = readStyle({ foreground: '#646464', markerColor: '#000000' }, false);
      expect(() => patchStyle(current, input, false)).toThrow(why);
    },
  );

  test('of the foreground are accepted only if they are less than half as bright as the background', () => {
    for (const foreground of ['#7f7f7f', '#ff6600'])
      expect(readStyle({ foreground }, false)).toMatchObject({ foreground });
    // jsQR failed to read a style with the foreground #89913e.
    for (const foreground of ['#808080', '#89913e'])
      expect(refusal({ foreground })).toEqual(['VALIDATION_ERROR', 'styleConfig.foreground']);
    const background = '#b0b0b0';
    expect(readStyle({ foreground: '#575757', background }, false)).toMatchObject({ foreground: '#575757' });
    expect(refusal({ foreground: '#585858', background })).toEqual(['VALIDATION_ERROR', 'styleConfig.foreground']);
  });
});

describe('a change', () => {
  const current = readStyle({ foreground: '#102030', size: 300, gradient: { colors: ['#102030', '#000'] } }, false);

  test('keeps fields that are not named, and resets null fields to their defaults', () => {
    expect(patchStyle(current, { margin: 4, size: null, gradient: null }, false)).toEqual({
      ...current,
      margin: 4,
      size: 600,
      gradient: null,
    });
  });

  test('of the foreground also changes markers of the same color, but no others', () => {
    expect(patchStyle(current, { foreground: '#300000' }, false).markerColor).toBe('#300000');
    const marked = patchStyle(current, { markerColor: '#003000' }, false);
    expect(patchStyle(marked, { foreground: '#300000' }, false).markerColor).toBe('#003000');
    expect(patchStyle(marked, { markerColor: null }, false).markerColor).toBe('#102030');
  });

  test('is validated together with the unchanged fields', () => {
    expect(() => patchStyle(current, { background: '#203040' }, false)).toThrow(
      expect.objectContaining({ field: 'styleConfig.background' }),
    );
  });
});
