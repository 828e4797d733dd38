import type { Schemas } from '@tautan/sdk';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';

export type Plan = Schemas['Plan'];
export type Usage = Schemas['Usage'];
export type Subscription = Schemas['Subscription'];
export type Invoice = Schemas['Invoice'];
export type PaidPlan = 'PRO' | 'BUSINESS';

/** Limits that usage is measured against, in the order in which the page shows them. */
export const limitNames = ['links', 'qrCodes', 'clicks', 'domains', 'members', 'webhookEndpoints'] as const;
export const planNames = ['FREE', 'PRO', 'BUSINESS'] as const;

/** Returns whether a plan is above another; `UNLIMITED` is above all. */
export const isAbove = (plan: Plan['name'], other: Plan['name']): boolean => {
  const rank = (name: Plan['name']): number => [...planNames, 'UNLIMITED'].indexOf(name);
  return rank(plan) > rank(other);
};

/** Refetch interval in ms. After a checkout, the user can return to the page a few seconds before the plan changes. */
const REFRESH_MS = 10_000;

/** Query of the current plan, the subscription, the usage and the plans for sale. */
export function useBilling() {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('billing'),
    queryFn: async ({ signal }) => {
      const [plan, subscription, usage, plans] = await Promise.all([
        api.get('/billing/plan', { signal }),
        api.get('/billing/subscription', { signal }),
        api.get('/billing/usage', { signal }),
        api.get('/billing/plans', { signal }),
      ]);
      return { plan, subscription, usage, plans };
    },
    refetchInterval: REFRESH_MS,
  });
}

/** Query of the billing history, newest first. */
export function useInvoices() {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: useKeys()('invoices'),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.page('/billing/invoices', { query: { ...(cursor && { cursor }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchInterval: REFRESH_MS,
  });
}

const returnUrl = (): string => `${location.origin}/app/billing`;

/**
 * Redirects to the payment provider's checkout for a plan. After the redirect has started, the mutation keeps its
 * `success` status until the page is left. It is reset if the browser restores the page, for example when the user goes
 * back.
 */
export function useCheckout() {
  const api = useApi();
  const checkout = useMutation({
    mutationFn: (plan: PaidPlan) => api.post('/billing/checkout', { body: { plan, returnUrl: returnUrl() } }),
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  });
  const { reset } = checkout;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) reset();
    };
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  return checkout;
}

/** Redirects to the payment provider's page for cards and invoices. */
export function usePortal() {
  const api = useApi();
  return useMutation({
    mutationFn: () => api.post('/billing/portal', { body: { returnUrl: returnUrl() } }),
    onSuccess: ({ portalUrl }) => location.assign(portalUrl),
  });
}

export type SubscriptionChange = 'cancel' | 'resume' | { downgradeTo: 'FREE' | 'PRO' };

/** Cancels, resumes or downgrades the subscription. */
export function useChangeSubscription() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (change: SubscriptionChange): Promise<unknown> => {
      if (change === 'cancel') return api.post('/billing/cancel');
      if (change === 'resume') return api.post('/billing/resume');
      return api.post('/billing/downgrade', { body: { plan: change.downgradeTo } });
    },
    onSuccess: () => refresh('billing'),
  });
}
