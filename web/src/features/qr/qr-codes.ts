import type { BodyOf, Paths, Schemas, Tautan } from '@tautan/sdk';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';
import type { QrSearch } from './routes.js';
import type { Style } from './style.js';

export type QrCode = Schemas['QrCode'];
export type NewQrCode = BodyOf<Paths['/qr-codes']['post']>;
export type QrCodeChange = BodyOf<Paths['/qr-codes/{id}']['patch']>;

const svgDataUrl = async (response: Response): Promise<string> =>
  `data:image/svg+xml,${encodeURIComponent(await response.text())}`;

/** Query of the workspace's QR codes that match the filters, newest first, page by page. */
export function useQrCodes(filters: QrSearch & { linkId?: string }) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: useKeys()('qr-codes', 'list', filters),
    queryFn: ({ pageParam: cursor, signal }) => {
      const { tag, ...rest } = filters;
      return api.page('/qr-codes', {
        query: { ...rest, ...(tag && { tag: [tag] }), ...(cursor && { cursor }) },
        signal,
      });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
  });
}

export function useQrCode(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('qr-codes', 'one', id),
    queryFn: ({ signal }) => api.get('/qr-codes/{id}', { path: { id }, signal }),
  });
}

/** Query of a stored QR code's image, as a data URL. */
export function useImage({ id, updatedAt }: QrCode) {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('qr-image', id, updatedAt),
    queryFn: async ({ signal }) =>
      svgDataUrl(await api.fetch('/qr-codes/{id}/download', { path: { id }, query: { format: 'svg' }, signal })),
    staleTime: Infinity,
  });
}

/** Query of the server's rendering of an unsaved style, as a data URL. */
export function usePreview({ style, logoRunRef, id }: { style: Style; logoRunRef: string | null; id?: string }) {
  const api = useApi();
  const query = {
    format: 'svg',
    styleConfig: JSON.stringify(style),
    ...(logoRunRef && { logoRunRef }),
    ...(id && { id }),
  } as const;
  return useQuery({
    queryKey: useKeys()('qr-preview', query),
    queryFn: async ({ signal }) => svgDataUrl(await api.fetch('/qr-codes/preview', { query, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** Returns the image file of a QR code. */
export async function imageFile(
  api: Tautan,
  id: string,
  query: { format: 'png' | 'svg'; size: number },
): Promise<Blob> {
  return (await api.fetch('/qr-codes/{id}/download', { path: { id }, query })).blob();
}

export function useCreateQrCode() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: NewQrCode) => api.post('/qr-codes', { body }),
    onSuccess: () => refresh('qr-codes', 'tags'),
  });
}

export function useUpdateQrCode(id: string) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: QrCodeChange) => api.patch('/qr-codes/{id}', { path: { id }, body }),
    onSuccess: () => refresh('qr-codes', 'tags'),
  });
}

export function useDeleteQrCode(id: string) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.delete('/qr-codes/{id}', { path: { id } }),
    onSuccess: () => refresh('qr-codes', 'tags'),
  });
}

/** Stores a file as a logo. */
export function useUploadLogo() {
  const api = useApi();
  return useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.append('logo', file);
      return api.post('/qr-codes/upload-logo', { body });
    },
  });
}

export type LogoUpload = ReturnType<typeof useUploadLogo>;

/** Creates a temporary URL at which anyone can see the image. */
export function useShareImage(id: string) {
  const api = useApi();
  return useMutation({ mutationFn: () => api.post('/qr-codes/{id}/download-token', { path: { id } }) });
}

/** Query of the links to choose from: the preselected link, then up to 50 active links that match the search `q`. */
export function useLinkChoices(q: string, preselectedId: string | undefined) {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('links', 'choices', q, preselectedId),
    queryFn: async ({ signal }) => {
      const query = { status: 'active', limit: 50, ...(q && { q }) } as const;
      const preselected =
        preselectedId === undefined ? [] : [await api.get('/links/{id}', { path: { id: preselectedId }, signal })];
      const { data } = await api.page('/links', { query, signal });
      return [...preselected, ...data.filter(({ id }) => id !== preselectedId)];
    },
    placeholderData: keepPreviousData,
  });
}
