import { create } from 'qrcode';
import { isMarker } from './markers.js';
import type { StyleConfig } from './style.js';

/** The modules of a QR code (ISO/IEC 18004), without its quiet zone. */
export interface Matrix {
  /** 1 to 40. */
  version: number;
  /** Modules per side. */
  side: number;
  /** Returns whether a module is dark; modules outside are light. */
  isDark: (column: number, row: number) => boolean;
  /** Returns whether a module is part of a function pattern, or of format or version information, not of data. */
  isFunction: (column: number, row: number) => boolean;
  /** Returns whether a module belongs to an alignment pattern. */
  isAlignment: (column: number, row: number) => boolean;
}

/** Encodes a text as a QR code. Throws if the text is too long for the largest version. */
export function matrixOf(text: string, errorCorrection: StyleConfig['errorCorrection']): Matrix {
  const { modules, version } = create(text, { errorCorrectionLevel: errorCorrection });
  const { size: side, data, reservedBit } = modules;
  const inside = (column: number, row: number) => column >= 0 && row >= 0 && column < side && row < side;
  return {
    version,
    side,
    isDark: (column, row) => inside(column, row) && data[row * side + column] === 1,
    isFunction: (column, row) => inside(column, row) && reservedBit[row * side + column] === 1,
    isAlignment: alignmentOf(version, side),
  };
}

/**
 * Returns the `isAlignment` of a QR code. Alignment patterns are five modules wide, at the intersections of certain
 * rows and columns (ISO/IEC 18004, annex E).
 */
function alignmentOf(version: number, side: number): Matrix['isAlignment'] {
  if (version < 2) return () => false;
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
  const lines = [6, ...Array.from({ length: count - 1 }, (_, at) => side - 7 - at * step)];
  const line = (place: number) => lines.find((each) => Math.abs(each - place) <= 2);
  return (column, row) => {
    const [x, y] = [line(column), line(row)];
    return x !== undefined && y !== undefined && !isMarker(side, x, y);
  };
}
