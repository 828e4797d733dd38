import { useState } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useCan } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Meter } from '../../ui/meter.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import styles from './billing.module.css';
import { limitNames, useBilling, useChangeSubscription, usePortal, type Subscription, type Usage } from './billing.js';
import { Invoices } from './invoices.js';
import { billingMessages } from './messages.js';
import { Plans } from './plans.js';

/** The plan, the usage against its limits, the plans for sale, and the invoices. */
export function BillingPage() {
  const t = useMessages(billingMessages);
  const canManage = useCan('admin');
  const query = useBilling();
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={query}>
        {({ plan, subscription, usage, plans }) => (
          <>
            <CurrentPlan name={plan.name} subscription={subscription} canManage={canManage} />
            <UsageCard usage={usage} />
            {plan.name !== 'UNLIMITED' && (
              <Plans plans={plans} current={plan.name} subscription={subscription} canManage={canManage} />
            )}
            <Invoices />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface CurrentPlanProps {
  name: string;
  subscription: Subscription;
  canManage: boolean;
}

function CurrentPlan({ name, subscription, canManage }: CurrentPlanProps) {
  const t = useMessages(billingMessages);
  const { date } = useFormats();
  const { status, currentPeriodEnd, cancelAtPeriodEnd, pendingPlan } = subscription;
  const end = currentPeriodEnd ? date(currentPeriodEnd) : undefined;
  const isSubscribed = status === 'active' || status === 'past_due';
  return (
    <Card
      title={t.plan(name)}
      lead={status === 'active' && end && !cancelAtPeriodEnd && !pendingPlan ? t.renews(end) : t.statuses[status]}
      actions={canManage && isSubscribed && <SubscriptionActions subscription={subscription} />}
    >
      {status === 'past_due' && <Notice tone="danger">{t.pastDue}</Notice>}
      {cancelAtPeriodEnd && <Notice>{t.cancels(end)}</Notice>}
      {!cancelAtPeriodEnd && pendingPlan && <Notice>{t.changes(pendingPlan, end)}</Notice>}
      {!canManage && <Badge>{t.readOnly}</Badge>}
    </Card>
  );
}

function SubscriptionActions({ subscription: { cancelAtPeriodEnd, pendingPlan } }: { subscription: Subscription }) {
  const t = useMessages(billingMessages);
  const describe = useErrorText();
  const [asking, setAsking] = useState(false);
  const portal = usePortal();
  const change = useChangeSubscription();
  const onError = (error: unknown): void => toast(describe(error));
  const isChangeScheduled = cancelAtPeriodEnd || pendingPlan !== null;
  return (
    <>
      <Button disabled={portal.isPending} onClick={() => portal.mutate(undefined, { onError })}>
        {t.portal}
      </Button>
      {isChangeScheduled ? (
        <Button variant="primary" disabled={change.isPending} onClick={() => change.mutate('resume', { onError })}>
          {t.resume}
        </Button>
      ) : (
        <Button onClick={() => setAsking(true)}>{t.cancel}</Button>
      )}
      {asking && (
        <ConfirmDialog
          title={t.cancelTitle}
          text={t.cancelText}
          action={t.cancel}
          mutation={change}
          variables="cancel"
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function UsageCard({ usage }: { usage: Usage }) {
  const t = useMessages(billingMessages);
  const { number, month } = useFormats();
  const text = ({ used, limit }: { used: number; limit: number | null }): string =>
    limit === null ? t.usedUnlimited(number(used)) : t.usedOf(number(used), number(limit));
  return (
    <Card title={t.usage} lead={t.period(month(usage.period))}>
      <div className={styles['meters']}>
        {limitNames.map((name) => (
          <Meter key={name} label={t.limits[name]} text={text(usage[name])} {...usage[name]} />
        ))}
      </div>
    </Card>
  );
}
