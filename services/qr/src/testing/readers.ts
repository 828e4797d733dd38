import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import jsqr from 'jsqr';
import { scanImageData } from '@undecaf/zbar-wasm';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// Load the WebAssembly module from the package. By default the library downloads it.
const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** The texts that three independent readers find in an image; undefined if they find no QR code. */
export interface Readings {
  zxing: string | undefined;
  jsqr: string | undefined;
  zbar: string | undefined;
}

/** Reads an image, with transparency rendered on white. */
export async function readQr(image: Uint8Array): Promise<Readings> {
  const { data, info } = await sharp(image)
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = {
    data: new Uint8ClampedArray(data),
    width: info.width,
    height: info.height,
    colorSpace: 'srgb' as const,
  };
  const [symbol] = await scanImageData(pixels);
  const [found] = await readBarcodes(pixels, { formats: ['QRCode'], tryInvert: false });
  return {
    zxing: found?.text,
    jsqr: jsqr.default(pixels.data, info.width, info.height, { inversionAttempts: 'dontInvert' })?.data,
    zbar: symbol?.decode(),
  };
}
