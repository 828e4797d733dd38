import type { Page, Route } from 'playwright-core';

/** What happens to requests of a page to the API. */
export interface ApiFaults {
  /** Time that every request takes in addition, in ms. */
  delayMs: number;
  /** Returns how a request fails: its connection is reset, or the service fails. Undefined for one that succeeds. */
  failing: (route: Route) => 'reset' | 'error' | undefined;
}

const failed = JSON.stringify({
  data: null,
  error: { code: 'INTERNAL_ERROR', message: 'The service failed unexpectedly.' },
  meta: { requestId: 'req_01jd3x8q4v5w6y7z8a9b0c1d2e' },
});

/** Slows the API down for a page, and lets requests fail. Returns the faults, to change while the page is open. */
export async function injectFaults(page: Page): Promise<ApiFaults> {
  const faults: ApiFaults = { delayMs: 0, failing: () => undefined };
  await page.route('**/api/v1/**', async (route) => {
    const failure = faults.failing(route);
    if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs));
    // The page may have been left meanwhile.
    const done = (): void => undefined;
    if (failure === 'reset') return route.abort('connectionreset').catch(done);
    if (failure === 'error')
      return route.fulfill({ status: 500, contentType: 'application/json', body: failed }).catch(done);
    return route.continue().catch(done);
  });
  return faults;
}

/** Returns failures of a share of the requests, the same in every run. */
export function randomly(share: number): ApiFaults['failing'] {
  let random = 1;
  return () => {
    random = (random * 48_271) % 0x7fffffff;
    const value = random / 0x7fffffff;
    if (value >= share) return undefined;
    return value < share / 2 ? 'reset' : 'error';
  };
}
