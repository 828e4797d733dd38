export type {
  AuditEntryRecord as ApiAuditEntry,
  DeliveryRecord as ApiDelivery,
  WebhookEndpointRecord as ApiEndpoint,
  WebhookEndpointWithSecretRecord as EndpointWithSecret,
} from '@tautan/proto';
