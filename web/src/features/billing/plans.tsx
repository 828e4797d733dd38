import { useErrorText } from '../../api/errors.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { toast } from '../../ui/toast.js';
import styles from './billing.module.css';
import { isAbove, limitNames, useChangeSubscription, useCheckout, type Plan, type Subscription } from './billing.js';
import { billingMessages } from './messages.js';

interface PlansProps {
  plans: Plan[];
  current: Plan['name'];
  subscription: Subscription;
  canManage: boolean;
}

/** The plans side by side. Those that the user can switch to have a button. */
export function Plans({ plans, current, subscription, canManage }: PlansProps) {
  const t = useMessages(billingMessages);
  return (
    <Card title={t.plans} lead={t.plansLead}>
      <ul className={styles['plans']}>
        {plans.map((plan) => (
          <li key={plan.name} className={plan.name === current ? styles['current'] : undefined}>
            <PlanFacts plan={plan} isCurrent={plan.name === current} />
            {canManage && <PlanAction plan={plan} current={current} subscription={subscription} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PlanFacts({ plan: { name, price, limits }, isCurrent }: { plan: Plan; isCurrent: boolean }) {
  const t = useMessages(billingMessages);
  const { money, number } = useFormats();
  return (
    <>
      <h3>
        {name} {isCurrent && <Badge tone="accent">{t.current}</Badge>}
      </h3>
      <p className={styles['price']}>
        {money(price.amount, price.currency)} <small>{t.perMonth}</small>
      </p>
      <ul className={styles['limits']}>
        {limitNames.map((limit) => (
          <li key={limit}>
            {t.limits[limit]}: <strong>{limits[limit] === null ? t.unlimited : number(limits[limit])}</strong>
          </li>
        ))}
        <li>
          {t.retention}:{' '}
          <strong>
            {limits.analyticsRetentionDays === null ? t.unlimited : t.days(number(limits.analyticsRetentionDays))}
          </strong>
        </li>
      </ul>
    </>
  );
}

interface PlanActionProps {
  plan: Plan;
  current: Plan['name'];
  subscription: Subscription;
}

function PlanAction({ plan: { name }, current, subscription }: PlanActionProps) {
  const t = useMessages(billingMessages);
  const describe = useErrorText();
  const checkout = useCheckout();
  const change = useChangeSubscription();
  const onError = (error: unknown): void => toast(describe(error));
  if (name === current) return null;
  if ((name === 'PRO' || name === 'BUSINESS') && isAbove(name, current)) {
    const isPending = checkout.isPending || checkout.isSuccess;
    return (
      <Button variant="primary" disabled={isPending} onClick={() => checkout.mutate(name, { onError })}>
        {t.upgrade(name)}
      </Button>
    );
  }
  const isScheduled = subscription.cancelAtPeriodEnd || subscription.pendingPlan === name;
  if (name === 'BUSINESS' || name === 'UNLIMITED' || subscription.status !== 'active' || isScheduled) return null;
  return (
    <Button disabled={change.isPending} onClick={() => change.mutate({ downgradeTo: name }, { onError })}>
      {t.downgrade(name)}
    </Button>
  );
}
