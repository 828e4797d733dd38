import { fail } from '@tautan/kit';
import { dotsPath } from './dots.js';
import { layoutOf, type Layout } from './layout.js';
import { layOutLogo, type LogoPlacement } from './logo-placement.js';
import { isMarker, markersPath, type MarkerStyle } from './markers.js';
import { matrixOf, type Matrix } from './matrix.js';
import type { Gradient, StyleConfig } from './style.js';

/** A logo that has been validated and converted to PNG. */
export interface LogoImage {
  /** PNG. */
  content: Buffer;
  /** Pixels. */
  width: number;
  height: number;
}

/** Everything that determines an SVG image. `size` is in pixels per side. */
export interface SvgSpec {
  text: string;
  style: StyleConfig;
  logo: LogoImage | null;
  size: number;
}

/**
 * Renders a QR code as an SVG document (SVG 1.1, without scripts, styles or external references). Modules are aligned
 * to whole pixels. Throws VALIDATION_ERROR naming `size` if QR code readers could not distinguish the modules.
 */
export function renderSvg({ text, style, logo, size }: SvgSpec): string {
  const matrix = matrixOf(text, logo ? 'H' : style.errorCorrection);
  const layout = layoutOf(matrix.side, style.margin, size);
  if (!layout) throw fail('VALIDATION_ERROR', 'size is too small for this QR code.', 'size');
  const place = logo && layOutLogo(matrix, style.logoScale, logo);
  const background =
    style.background === 'transparent' ? '' : `<rect width="${size}" height="${size}" fill="${style.background}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">` +
    (style.gradient ? `<defs>${gradientElement(style.gradient, matrix.side)}</defs>` : '') +
    background +
    `<g transform="translate(${layout.offset} ${layout.offset}) scale(${layout.scale})">` +
    modulePaths(matrix, style, layout, place) +
    (logo && place ? logoElement(logo, place) : '') +
    '</g></svg>'
  );
}

function modulePaths(
  matrix: Matrix,
  style: StyleConfig,
  { allowsShapes }: Layout,
  place: LogoPlacement | null,
): string {
  const { side } = matrix;
  const dots = dotsPath(allowsShapes ? style.dotStyle : 'square', matrix, (column, row) => {
    if (!matrix.isDark(column, row) || isMarker(side, column, row)) return false;
    return !place?.isCleared(column, row);
  });
  const markerStyle: MarkerStyle = allowsShapes
    ? { border: style.markerBorder, center: style.markerCenter, hasLogo: place !== null }
    : { border: 'square', center: 'square', hasLogo: place !== null };
  const markers = markersPath(side, markerStyle);
  return (
    `<path fill="${style.gradient ? 'url(#g)' : style.foreground}" d="${dots}"/>` +
    `<path fill="${style.markerColor}" fill-rule="evenodd" d="${markers}"/>`
  );
}

/** Returns a gradient over the whole code: linear in its direction, or radial from the middle to the corners. */
function gradientElement({ type, angle, colors }: Gradient, side: number): string {
  const stops = `<stop stop-color="${colors[0]}"/><stop offset="1" stop-color="${colors[1]}"/>`;
  const middle = side / 2;
  if (type === 'radial') {
    return `<radialGradient id="g" gradientUnits="userSpaceOnUse" cx="${middle}" cy="${middle}" r="${rounded(middle * Math.SQRT2)}">${stops}</radialGradient>`;
  }
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const reach = middle * (Math.abs(cos) + Math.abs(sin));
  const [dx, dy] = [cos * reach, sin * reach];
  const ends = `x1="${rounded(middle - dx)}" y1="${rounded(middle - dy)}" x2="${rounded(middle + dx)}" y2="${rounded(middle + dy)}"`;
  return `<linearGradient id="g" gradientUnits="userSpaceOnUse" ${ends}>${stops}</linearGradient>`;
}

function logoElement({ content }: LogoImage, { x, y, width, height }: LogoPlacement): string {
  const box = `x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"`;
  // Older print software requires xlink:href; all other software supports it.
  return `<image ${box} xlink:href="data:image/png;base64,${content.toString('base64')}"/>`;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
