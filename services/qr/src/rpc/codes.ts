import { rpcTable, withCall, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import type { QrCodeView } from '../domain/view.js';
import { createQrCode } from '../usecases/create-qr-code.js';
import { deleteQrCode } from '../usecases/delete-qr-code.js';
import type { Deps } from '../usecase-deps.js';
import { getQrCode } from '../usecases/get-qr-code.js';
import { listQrCodes } from '../usecases/list-qr-codes.js';
import { updateQrCode } from '../usecases/update-qr-code.js';

/** Returns the RPC table of QR codes. */
export const codeTable = (deps: Deps): RpcTable =>
  rpcTable(rpcServices.qrCodes, {
    CreateQrCode: async (call, request) => toWire(await createQrCode(withCall(deps, call), call.principal(), request)),
    GetQrCode: async (call, request) => toWire(await getQrCode(deps, call.principal(), request)),
    ListQrCodes: async (call, request) => {
      const { qrCodes, nextCursor } = await listQrCodes(withCall(deps, call), call.principal(), request);
      return { qrCodes: qrCodes.map(toWire), ...(nextCursor !== undefined && { nextCursor }) };
    },
    UpdateQrCode: async (call, { tags, ...request }) =>
      toWire(await updateQrCode(withCall(deps, call), call.principal(), { ...request, tags: tags?.names })),
    DeleteQrCode: (call, request) => deleteQrCode(withCall(deps, call), call.principal(), request),
  });

/**
 * Converts a view to protobuf, with the style as JSON. Protobuf treats null as absent, which its types do not express.
 */
const toWire = ({ styleConfig, ...view }: QrCodeView) => ({
  ...(view as { [F in keyof typeof view]: NonNullable<(typeof view)[F]> }),
  styleConfig: JSON.stringify(styleConfig),
});
