export { Tautan, type TautanOptions } from './client.js';
export { TautanError, type ApiErrorCode, type ClientErrorCode } from './error.js';
export { Pages } from './pages.js';
export type { RetryOptions } from './retry.js';
export type { CredentialSource } from './transport.js';
export type { BodyOf, CallOptions, DataOf, Page, Paths, Schemas, WebhookEvent } from './types.js';
export { verifyWebhook, type VerifyOptions, type WebhookHeaders } from './webhooks.js';
