export type {
  CheckoutRecord as ApiCheckout,
  InvoiceRecord as ApiInvoice,
  PlanRecord as ApiPlan,
  PortalRecord as ApiPortal,
  SubscriptionRecord as ApiSubscription,
  UsageRecord as ApiUsage,
} from '@tautan/proto';
