import type { BodyOf, Paths, Schemas } from '@tautan/sdk';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';
import type { WebhookSearch } from './routes.js';

export type Endpoint = Schemas['WebhookEndpoint'];
export type EventType = Schemas['EventType'];
export type DeliverySummary = Schemas['DeliverySummary'];
export type Delivery = Schemas['Delivery'];
type EndpointBody = BodyOf<Paths['/webhooks']['post']>;
export type Events = EndpointBody['events'];
export type EndpointChange = BodyOf<Paths['/webhooks/{id}']['patch']>;

/** Polling interval of deliveries in ms, while the page is visible. */
const POLL_MS = 5_000;

/** Queries all webhook endpoints of the workspace. */
export function useEndpoints() {
  const api = useApi();
  return useQuery({ queryKey: useKeys()('webhooks'), queryFn: ({ signal }) => api.get('/webhooks', { signal }) });
}

/** Queries the event types that endpoints can subscribe to. */
export function useEventTypes() {
  const api = useApi();
  return useQuery({
    queryKey: ['event-types'],
    queryFn: ({ signal }) => api.get('/webhooks/event-types', { signal }),
    staleTime: Infinity,
  });
}

/** Queries the deliveries that match the filters, newest first, page by page. */
export function useDeliveries({ endpoint, status }: WebhookSearch) {
  const api = useApi();
  const filters = { ...(endpoint && { subscriptionId: endpoint }), ...(status && { status }) };
  return useInfiniteQuery({
    queryKey: useKeys()('deliveries', filters),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.page('/webhooks/deliveries', { query: { ...filters, ...(cursor && { cursor }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** Queries one delivery with its body and attempts. */
export function useDelivery(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('deliveries', 'one', id),
    queryFn: ({ signal }) => api.get('/webhooks/deliveries/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });
}

/** Creates an endpoint. Only this response contains its signing secret. */
export function useCreateEndpoint() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: EndpointBody) => api.post('/webhooks', { body }),
    onSuccess: () => refresh('webhooks'),
  });
}

export function useUpdateEndpoint({ id }: Endpoint) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: EndpointChange) => api.patch('/webhooks/{id}', { path: { id }, body }),
    onSuccess: () => refresh('webhooks', 'deliveries'),
  });
}

export function useDeleteEndpoint({ id }: Endpoint) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.delete('/webhooks/{id}', { path: { id } }),
    onSuccess: () => refresh('webhooks', 'deliveries'),
  });
}

/** Rotates the signing secret. For 24 hours, deliveries are signed with the old secret too. */
export function useRotateSecret({ id }: Endpoint) {
  const api = useApi();
  return useMutation({ mutationFn: () => api.post('/webhooks/{id}/rotate-secret', { path: { id } }) });
}

/** Sends a `webhook.test` event to an endpoint. */
export function useTestEndpoint({ id }: Endpoint) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.post('/webhooks/{id}/test', { path: { id } }),
    onSuccess: () => refresh('deliveries'),
  });
}

export function useRetryDelivery(id: string) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.post('/webhooks/deliveries/{id}/retry', { path: { id } }),
    onSuccess: () => refresh('deliveries'),
  });
}
