import { createContextKey } from '@opentelemetry/api';

/**
 * How to sample a span that does not follow its parent's decision. `independent`: by the configured sampler, like a new
 * trace, because the client's sampled flag is not trusted. `always`: the span is recorded, because the code that starts
 * it has already decided to sample it (see `REDIRECT_TRACE_RATIO`).
 */
export type Sampling = 'independent' | 'always';

/** Context key of the `Sampling` of a new span. */
export const samplingKey = createContextKey('tautan sampling');
