import type { Page, Route } from 'playwright-core';

/** Faults of a page's API requests. */
export interface ApiFaults {
  /** Delay added to every request, in milliseconds. */
  delayMs: number;
  /** Returns how a request fails: its connection is reset, or the service fails. Undefined if it succeeds. */
  failing: (route: Route) => 'reset' | 'error' | undefined;
}

const failed = JSON.stringify({
  data: null,
  error: { code: 'INTERNAL_ERROR', message: 'The service failed unexpectedly.' },
  meta: { requestId: 'req_01jd3x8q4v5w6y7z8a9b0c1d2e' },
});

/** Slows down the API for a page and makes requests fail. The returned faults can be changed while the page is open. */
export async function injectFaults(page: Page): Promise<ApiFaults> {
  const faults: ApiFaults = { delayMs: 0, failing: () => undefined };
  await page.route('**/api/v1/**', async (route) => {
    const failure = faults.failing(route);
    if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs));
    // The page may have been closed or navigated in the meantime.
    const ignore = (): void => undefined;
    if (failure === 'reset') return route.abort('connectionreset').catch(ignore);
    if (failure === 'error')
      return route.fulfill({ status: 500, contentType: 'application/json', body: failed }).catch(ignore);
    return route.continue().catch(ignore);
  });
  return faults;
}

/** Returns a function that makes a share of the requests fail, reproducibly. */
export function randomly(share: number): ApiFaults['failing'] {
  let random = 1;
  return () => {
    random = (random * 48_271) % 0x7fffffff;
    const value = random / 0x7fffffff;
    if (value >= share) return undefined;
    return value < share / 2 ? 'reset' : 'error';
  };
}
