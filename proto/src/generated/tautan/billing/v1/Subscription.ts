// Original file: billing.proto


export interface Subscription {
  'id'?: (string);
  'plan'?: (string);
  'status'?: (string);
  'currency'?: (string);
  'currentPeriodStart'?: (string);
  'currentPeriodEnd'?: (string);
  'cancelAtPeriodEnd'?: (boolean);
  'pendingPlan'?: (string);
  '_currentPeriodStart'?: "currentPeriodStart";
  '_currentPeriodEnd'?: "currentPeriodEnd";
  '_pendingPlan'?: "pendingPlan";
}

export interface Subscription__Output {
  'id': (string);
  'plan': (string);
  'status': (string);
  'currency': (string);
  'currentPeriodStart'?: (string);
  'currentPeriodEnd'?: (string);
  'cancelAtPeriodEnd': (boolean);
  'pendingPlan'?: (string);
  '_currentPeriodStart'?: "currentPeriodStart";
  '_currentPeriodEnd'?: "currentPeriodEnd";
  '_pendingPlan'?: "pendingPlan";
}
