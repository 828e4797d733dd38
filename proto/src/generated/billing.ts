import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { BillingClient as _tautan_billing_v1_BillingClient, BillingDefinition as _tautan_billing_v1_BillingDefinition } from './tautan/billing/v1/Billing.js';
import type { CancelSubscriptionRequest as _tautan_billing_v1_CancelSubscriptionRequest, CancelSubscriptionRequest__Output as _tautan_billing_v1_CancelSubscriptionRequest__Output } from './tautan/billing/v1/CancelSubscriptionRequest.js';
import type { Checkout as _tautan_billing_v1_Checkout, Checkout__Output as _tautan_billing_v1_Checkout__Output } from './tautan/billing/v1/Checkout.js';
import type { CheckoutState as _tautan_billing_v1_CheckoutState, CheckoutState__Output as _tautan_billing_v1_CheckoutState__Output } from './tautan/billing/v1/CheckoutState.js';
import type { CreateCheckoutRequest as _tautan_billing_v1_CreateCheckoutRequest, CreateCheckoutRequest__Output as _tautan_billing_v1_CreateCheckoutRequest__Output } from './tautan/billing/v1/CreateCheckoutRequest.js';
import type { CreatePortalRequest as _tautan_billing_v1_CreatePortalRequest, CreatePortalRequest__Output as _tautan_billing_v1_CreatePortalRequest__Output } from './tautan/billing/v1/CreatePortalRequest.js';
import type { DowngradeSubscriptionRequest as _tautan_billing_v1_DowngradeSubscriptionRequest, DowngradeSubscriptionRequest__Output as _tautan_billing_v1_DowngradeSubscriptionRequest__Output } from './tautan/billing/v1/DowngradeSubscriptionRequest.js';
import type { GetCheckoutRequest as _tautan_billing_v1_GetCheckoutRequest, GetCheckoutRequest__Output as _tautan_billing_v1_GetCheckoutRequest__Output } from './tautan/billing/v1/GetCheckoutRequest.js';
import type { GetPlanRequest as _tautan_billing_v1_GetPlanRequest, GetPlanRequest__Output as _tautan_billing_v1_GetPlanRequest__Output } from './tautan/billing/v1/GetPlanRequest.js';
import type { GetSubscriptionRequest as _tautan_billing_v1_GetSubscriptionRequest, GetSubscriptionRequest__Output as _tautan_billing_v1_GetSubscriptionRequest__Output } from './tautan/billing/v1/GetSubscriptionRequest.js';
import type { Invoice as _tautan_billing_v1_Invoice, Invoice__Output as _tautan_billing_v1_Invoice__Output } from './tautan/billing/v1/Invoice.js';
import type { ListInvoicesRequest as _tautan_billing_v1_ListInvoicesRequest, ListInvoicesRequest__Output as _tautan_billing_v1_ListInvoicesRequest__Output } from './tautan/billing/v1/ListInvoicesRequest.js';
import type { ListInvoicesResponse as _tautan_billing_v1_ListInvoicesResponse, ListInvoicesResponse__Output as _tautan_billing_v1_ListInvoicesResponse__Output } from './tautan/billing/v1/ListInvoicesResponse.js';
import type { ListPlansRequest as _tautan_billing_v1_ListPlansRequest, ListPlansRequest__Output as _tautan_billing_v1_ListPlansRequest__Output } from './tautan/billing/v1/ListPlansRequest.js';
import type { ListPlansResponse as _tautan_billing_v1_ListPlansResponse, ListPlansResponse__Output as _tautan_billing_v1_ListPlansResponse__Output } from './tautan/billing/v1/ListPlansResponse.js';
import type { Plan as _tautan_billing_v1_Plan, Plan__Output as _tautan_billing_v1_Plan__Output } from './tautan/billing/v1/Plan.js';
import type { PlanLimits as _tautan_billing_v1_PlanLimits, PlanLimits__Output as _tautan_billing_v1_PlanLimits__Output } from './tautan/billing/v1/PlanLimits.js';
import type { PlanRateLimits as _tautan_billing_v1_PlanRateLimits, PlanRateLimits__Output as _tautan_billing_v1_PlanRateLimits__Output } from './tautan/billing/v1/PlanRateLimits.js';
import type { Portal as _tautan_billing_v1_Portal, Portal__Output as _tautan_billing_v1_Portal__Output } from './tautan/billing/v1/Portal.js';
import type { Price as _tautan_billing_v1_Price, Price__Output as _tautan_billing_v1_Price__Output } from './tautan/billing/v1/Price.js';
import type { ReceiveProviderWebhookRequest as _tautan_billing_v1_ReceiveProviderWebhookRequest, ReceiveProviderWebhookRequest__Output as _tautan_billing_v1_ReceiveProviderWebhookRequest__Output } from './tautan/billing/v1/ReceiveProviderWebhookRequest.js';
import type { ReceiveProviderWebhookResponse as _tautan_billing_v1_ReceiveProviderWebhookResponse, ReceiveProviderWebhookResponse__Output as _tautan_billing_v1_ReceiveProviderWebhookResponse__Output } from './tautan/billing/v1/ReceiveProviderWebhookResponse.js';
import type { ResumeSubscriptionRequest as _tautan_billing_v1_ResumeSubscriptionRequest, ResumeSubscriptionRequest__Output as _tautan_billing_v1_ResumeSubscriptionRequest__Output } from './tautan/billing/v1/ResumeSubscriptionRequest.js';
import type { Subscription as _tautan_billing_v1_Subscription, Subscription__Output as _tautan_billing_v1_Subscription__Output } from './tautan/billing/v1/Subscription.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    billing: {
      v1: {
        Billing: SubtypeConstructor<typeof grpc.Client, _tautan_billing_v1_BillingClient> & { service: _tautan_billing_v1_BillingDefinition }
        CancelSubscriptionRequest: MessageTypeDefinition<_tautan_billing_v1_CancelSubscriptionRequest, _tautan_billing_v1_CancelSubscriptionRequest__Output>
        Checkout: MessageTypeDefinition<_tautan_billing_v1_Checkout, _tautan_billing_v1_Checkout__Output>
        CheckoutState: MessageTypeDefinition<_tautan_billing_v1_CheckoutState, _tautan_billing_v1_CheckoutState__Output>
        CreateCheckoutRequest: MessageTypeDefinition<_tautan_billing_v1_CreateCheckoutRequest, _tautan_billing_v1_CreateCheckoutRequest__Output>
        CreatePortalRequest: MessageTypeDefinition<_tautan_billing_v1_CreatePortalRequest, _tautan_billing_v1_CreatePortalRequest__Output>
        DowngradeSubscriptionRequest: MessageTypeDefinition<_tautan_billing_v1_DowngradeSubscriptionRequest, _tautan_billing_v1_DowngradeSubscriptionRequest__Output>
        GetCheckoutRequest: MessageTypeDefinition<_tautan_billing_v1_GetCheckoutRequest, _tautan_billing_v1_GetCheckoutRequest__Output>
        GetPlanRequest: MessageTypeDefinition<_tautan_billing_v1_GetPlanRequest, _tautan_billing_v1_GetPlanRequest__Output>
        GetSubscriptionRequest: MessageTypeDefinition<_tautan_billing_v1_GetSubscriptionRequest, _tautan_billing_v1_GetSubscriptionRequest__Output>
        Invoice: MessageTypeDefinition<_tautan_billing_v1_Invoice, _tautan_billing_v1_Invoice__Output>
        ListInvoicesRequest: MessageTypeDefinition<_tautan_billing_v1_ListInvoicesRequest, _tautan_billing_v1_ListInvoicesRequest__Output>
        ListInvoicesResponse: MessageTypeDefinition<_tautan_billing_v1_ListInvoicesResponse, _tautan_billing_v1_ListInvoicesResponse__Output>
        ListPlansRequest: MessageTypeDefinition<_tautan_billing_v1_ListPlansRequest, _tautan_billing_v1_ListPlansRequest__Output>
        ListPlansResponse: MessageTypeDefinition<_tautan_billing_v1_ListPlansResponse, _tautan_billing_v1_ListPlansResponse__Output>
        Plan: MessageTypeDefinition<_tautan_billing_v1_Plan, _tautan_billing_v1_Plan__Output>
        PlanLimits: MessageTypeDefinition<_tautan_billing_v1_PlanLimits, _tautan_billing_v1_PlanLimits__Output>
        PlanRateLimits: MessageTypeDefinition<_tautan_billing_v1_PlanRateLimits, _tautan_billing_v1_PlanRateLimits__Output>
        Portal: MessageTypeDefinition<_tautan_billing_v1_Portal, _tautan_billing_v1_Portal__Output>
        Price: MessageTypeDefinition<_tautan_billing_v1_Price, _tautan_billing_v1_Price__Output>
        ReceiveProviderWebhookRequest: MessageTypeDefinition<_tautan_billing_v1_ReceiveProviderWebhookRequest, _tautan_billing_v1_ReceiveProviderWebhookRequest__Output>
        ReceiveProviderWebhookResponse: MessageTypeDefinition<_tautan_billing_v1_ReceiveProviderWebhookResponse, _tautan_billing_v1_ReceiveProviderWebhookResponse__Output>
        ResumeSubscriptionRequest: MessageTypeDefinition<_tautan_billing_v1_ResumeSubscriptionRequest, _tautan_billing_v1_ResumeSubscriptionRequest__Output>
        Subscription: MessageTypeDefinition<_tautan_billing_v1_Subscription, _tautan_billing_v1_Subscription__Output>
      }
    }
  }
}

