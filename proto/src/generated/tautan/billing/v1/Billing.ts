// Original file: billing.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelSubscriptionRequest as _tautan_billing_v1_CancelSubscriptionRequest, CancelSubscriptionRequest__Output as _tautan_billing_v1_CancelSubscriptionRequest__Output } from '../../../tautan/billing/v1/CancelSubscriptionRequest.js';
import type { Checkout as _tautan_billing_v1_Checkout, Checkout__Output as _tautan_billing_v1_Checkout__Output } from '../../../tautan/billing/v1/Checkout.js';
import type { CheckoutState as _tautan_billing_v1_CheckoutState, CheckoutState__Output as _tautan_billing_v1_CheckoutState__Output } from '../../../tautan/billing/v1/CheckoutState.js';
import type { CreateCheckoutRequest as _tautan_billing_v1_CreateCheckoutRequest, CreateCheckoutRequest__Output as _tautan_billing_v1_CreateCheckoutRequest__Output } from '../../../tautan/billing/v1/CreateCheckoutRequest.js';
import type { CreatePortalRequest as _tautan_billing_v1_CreatePortalRequest, CreatePortalRequest__Output as _tautan_billing_v1_CreatePortalRequest__Output } from '../../../tautan/billing/v1/CreatePortalRequest.js';
import type { DowngradeSubscriptionRequest as _tautan_billing_v1_DowngradeSubscriptionRequest, DowngradeSubscriptionRequest__Output as _tautan_billing_v1_DowngradeSubscriptionRequest__Output } from '../../../tautan/billing/v1/DowngradeSubscriptionRequest.js';
import type { GetCheckoutRequest as _tautan_billing_v1_GetCheckoutRequest, GetCheckoutRequest__Output as _tautan_billing_v1_GetCheckoutRequest__Output } from '../../../tautan/billing/v1/GetCheckoutRequest.js';
import type { GetPlanRequest as _tautan_billing_v1_GetPlanRequest, GetPlanRequest__Output as _tautan_billing_v1_GetPlanRequest__Output } from '../../../tautan/billing/v1/GetPlanRequest.js';
import type { GetSubscriptionRequest as _tautan_billing_v1_GetSubscriptionRequest, GetSubscriptionRequest__Output as _tautan_billing_v1_GetSubscriptionRequest__Output } from '../../../tautan/billing/v1/GetSubscriptionRequest.js';
import type { ListInvoicesRequest as _tautan_billing_v1_ListInvoicesRequest, ListInvoicesRequest__Output as _tautan_billing_v1_ListInvoicesRequest__Output } from '../../../tautan/billing/v1/ListInvoicesRequest.js';
import type { ListInvoicesResponse as _tautan_billing_v1_ListInvoicesResponse, ListInvoicesResponse__Output as _tautan_billing_v1_ListInvoicesResponse__Output } from '../../../tautan/billing/v1/ListInvoicesResponse.js';
import type { ListPlansRequest as _tautan_billing_v1_ListPlansRequest, ListPlansRequest__Output as _tautan_billing_v1_ListPlansRequest__Output } from '../../../tautan/billing/v1/ListPlansRequest.js';
import type { ListPlansResponse as _tautan_billing_v1_ListPlansResponse, ListPlansResponse__Output as _tautan_billing_v1_ListPlansResponse__Output } from '../../../tautan/billing/v1/ListPlansResponse.js';
import type { Plan as _tautan_billing_v1_Plan, Plan__Output as _tautan_billing_v1_Plan__Output } from '../../../tautan/billing/v1/Plan.js';
import type { Portal as _tautan_billing_v1_Portal, Portal__Output as _tautan_billing_v1_Portal__Output } from '../../../tautan/billing/v1/Portal.js';
import type { ReceiveProviderWebhookRequest as _tautan_billing_v1_ReceiveProviderWebhookRequest, ReceiveProviderWebhookRequest__Output as _tautan_billing_v1_ReceiveProviderWebhookRequest__Output } from '../../../tautan/billing/v1/ReceiveProviderWebhookRequest.js';
import type { ReceiveProviderWebhookResponse as _tautan_billing_v1_ReceiveProviderWebhookResponse, ReceiveProviderWebhookResponse__Output as _tautan_billing_v1_ReceiveProviderWebhookResponse__Output } from '../../../tautan/billing/v1/ReceiveProviderWebhookResponse.js';
import type { ResumeSubscriptionRequest as _tautan_billing_v1_ResumeSubscriptionRequest, ResumeSubscriptionRequest__Output as _tautan_billing_v1_ResumeSubscriptionRequest__Output } from '../../../tautan/billing/v1/ResumeSubscriptionRequest.js';
import type { Subscription as _tautan_billing_v1_Subscription, Subscription__Output as _tautan_billing_v1_Subscription__Output } from '../../../tautan/billing/v1/Subscription.js';

export interface BillingClient extends grpc.Client {
  CancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  CancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  CancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  CancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _tautan_billing_v1_CancelSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  
  CreateCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  CreateCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  CreateCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  CreateCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  createCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  createCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  createCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  createCheckout(argument: _tautan_billing_v1_CreateCheckoutRequest, callback: grpc.requestCallback<_tautan_billing_v1_Checkout__Output>): grpc.ClientUnaryCall;
  
  CreatePortal(argument: _tautan_billing_v1_CreatePortalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  CreatePortal(argument: _tautan_billing_v1_CreatePortalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  CreatePortal(argument: _tautan_billing_v1_CreatePortalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  CreatePortal(argument: _tautan_billing_v1_CreatePortalRequest, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  createPortal(argument: _tautan_billing_v1_CreatePortalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  createPortal(argument: _tautan_billing_v1_CreatePortalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  createPortal(argument: _tautan_billing_v1_CreatePortalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  createPortal(argument: _tautan_billing_v1_CreatePortalRequest, callback: grpc.requestCallback<_tautan_billing_v1_Portal__Output>): grpc.ClientUnaryCall;
  
  DowngradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  DowngradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  DowngradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  DowngradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  downgradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  downgradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  downgradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  downgradeSubscription(argument: _tautan_billing_v1_DowngradeSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  
  GetCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  GetCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  GetCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  GetCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  getCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  getCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  getCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  getCheckout(argument: _tautan_billing_v1_GetCheckoutRequest, callback: grpc.requestCallback<_tautan_billing_v1_CheckoutState__Output>): grpc.ClientUnaryCall;
  
  GetPlan(argument: _tautan_billing_v1_GetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _tautan_billing_v1_GetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _tautan_billing_v1_GetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _tautan_billing_v1_GetPlanRequest, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tautan_billing_v1_GetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tautan_billing_v1_GetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tautan_billing_v1_GetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tautan_billing_v1_GetPlanRequest, callback: grpc.requestCallback<_tautan_billing_v1_Plan__Output>): grpc.ClientUnaryCall;
  
  GetSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  GetSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  GetSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  GetSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  getSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  getSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  getSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  getSubscription(argument: _tautan_billing_v1_GetSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  
  ListInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  ListInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  ListInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  ListInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _tautan_billing_v1_ListInvoicesRequest, callback: grpc.requestCallback<_tautan_billing_v1_ListInvoicesResponse__Output>): grpc.ClientUnaryCall;
  
  ListPlans(argument: _tautan_billing_v1_ListPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  ListPlans(argument: _tautan_billing_v1_ListPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  ListPlans(argument: _tautan_billing_v1_ListPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  ListPlans(argument: _tautan_billing_v1_ListPlansRequest, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tautan_billing_v1_ListPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tautan_billing_v1_ListPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tautan_billing_v1_ListPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tautan_billing_v1_ListPlansRequest, callback: grpc.requestCallback<_tautan_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  
  ReceiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  ReceiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  ReceiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  ReceiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  receiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  receiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  receiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  receiveProviderWebhook(argument: _tautan_billing_v1_ReceiveProviderWebhookRequest, callback: grpc.requestCallback<_tautan_billing_v1_ReceiveProviderWebhookResponse__Output>): grpc.ClientUnaryCall;
  
  ResumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  ResumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  ResumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  ResumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _tautan_billing_v1_ResumeSubscriptionRequest, callback: grpc.requestCallback<_tautan_billing_v1_Subscription__Output>): grpc.ClientUnaryCall;
  
}

export interface BillingHandlers extends grpc.UntypedServiceImplementation {
  CancelSubscription: grpc.handleUnaryCall<_tautan_billing_v1_CancelSubscriptionRequest__Output, _tautan_billing_v1_Subscription>;
  
  CreateCheckout: grpc.handleUnaryCall<_tautan_billing_v1_CreateCheckoutRequest__Output, _tautan_billing_v1_Checkout>;
  
  CreatePortal: grpc.handleUnaryCall<_tautan_billing_v1_CreatePortalRequest__Output, _tautan_billing_v1_Portal>;
  
  DowngradeSubscription: grpc.handleUnaryCall<_tautan_billing_v1_DowngradeSubscriptionRequest__Output, _tautan_billing_v1_Subscription>;
  
  GetCheckout: grpc.handleUnaryCall<_tautan_billing_v1_GetCheckoutRequest__Output, _tautan_billing_v1_CheckoutState>;
  
  GetPlan: grpc.handleUnaryCall<_tautan_billing_v1_GetPlanRequest__Output, _tautan_billing_v1_Plan>;
  
  GetSubscription: grpc.handleUnaryCall<_tautan_billing_v1_GetSubscriptionRequest__Output, _tautan_billing_v1_Subscription>;
  
  ListInvoices: grpc.handleUnaryCall<_tautan_billing_v1_ListInvoicesRequest__Output, _tautan_billing_v1_ListInvoicesResponse>;
  
  ListPlans: grpc.handleUnaryCall<_tautan_billing_v1_ListPlansRequest__Output, _tautan_billing_v1_ListPlansResponse>;
  
  ReceiveProviderWebhook: grpc.handleUnaryCall<_tautan_billing_v1_ReceiveProviderWebhookRequest__Output, _tautan_billing_v1_ReceiveProviderWebhookResponse>;
  
  ResumeSubscription: grpc.handleUnaryCall<_tautan_billing_v1_ResumeSubscriptionRequest__Output, _tautan_billing_v1_Subscription>;
  
}

export interface BillingDefinition extends grpc.ServiceDefinition {
  CancelSubscription: MethodDefinition<_tautan_billing_v1_CancelSubscriptionRequest, _tautan_billing_v1_Subscription, _tautan_billing_v1_CancelSubscriptionRequest__Output, _tautan_billing_v1_Subscription__Output>
  CreateCheckout: MethodDefinition<_tautan_billing_v1_CreateCheckoutRequest, _tautan_billing_v1_Checkout, _tautan_billing_v1_CreateCheckoutRequest__Output, _tautan_billing_v1_Checkout__Output>
  CreatePortal: MethodDefinition<_tautan_billing_v1_CreatePortalRequest, _tautan_billing_v1_Portal, _tautan_billing_v1_CreatePortalRequest__Output, _tautan_billing_v1_Portal__Output>
  DowngradeSubscription: MethodDefinition<_tautan_billing_v1_DowngradeSubscriptionRequest, _tautan_billing_v1_Subscription, _tautan_billing_v1_DowngradeSubscriptionRequest__Output, _tautan_billing_v1_Subscription__Output>
  GetCheckout: MethodDefinition<_tautan_billing_v1_GetCheckoutRequest, _tautan_billing_v1_CheckoutState, _tautan_billing_v1_GetCheckoutRequest__Output, _tautan_billing_v1_CheckoutState__Output>
  GetPlan: MethodDefinition<_tautan_billing_v1_GetPlanRequest, _tautan_billing_v1_Plan, _tautan_billing_v1_GetPlanRequest__Output, _tautan_billing_v1_Plan__Output>
  GetSubscription: MethodDefinition<_tautan_billing_v1_GetSubscriptionRequest, _tautan_billing_v1_Subscription, _tautan_billing_v1_GetSubscriptionRequest__Output, _tautan_billing_v1_Subscription__Output>
  ListInvoices: MethodDefinition<_tautan_billing_v1_ListInvoicesRequest, _tautan_billing_v1_ListInvoicesResponse, _tautan_billing_v1_ListInvoicesRequest__Output, _tautan_billing_v1_ListInvoicesResponse__Output>
  ListPlans: MethodDefinition<_tautan_billing_v1_ListPlansRequest, _tautan_billing_v1_ListPlansResponse, _tautan_billing_v1_ListPlansRequest__Output, _tautan_billing_v1_ListPlansResponse__Output>
  ReceiveProviderWebhook: MethodDefinition<_tautan_billing_v1_ReceiveProviderWebhookRequest, _tautan_billing_v1_ReceiveProviderWebhookResponse, _tautan_billing_v1_ReceiveProviderWebhookRequest__Output, _tautan_billing_v1_ReceiveProviderWebhookResponse__Output>
  ResumeSubscription: MethodDefinition<_tautan_billing_v1_ResumeSubscriptionRequest, _tautan_billing_v1_Subscription, _tautan_billing_v1_ResumeSubscriptionRequest__Output, _tautan_billing_v1_Subscription__Output>
}
