import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { CircleAlert, Compass } from 'lucide-react';
import { useErrorText } from '../api/errors.js';
import { useMessages } from '../i18n/messages.js';
import { Button, buttonClass } from '../ui/button.js';
import { uiMessages } from '../ui/messages.js';
import { Page } from '../ui/page.js';
import { EmptyState } from '../ui/states.js';
import { appMessages } from './messages.js';

export function NotFoundPage() {
  const t = useMessages(appMessages);
  return (
    <Page title={t.notFound}>
      <EmptyState icon={Compass} text={t.notFoundText}>
        <Link to="/" className={buttonClass()}>
          {t.home}
        </Link>
      </EmptyState>
    </Page>
  );
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useMessages(appMessages);
  const ui = useMessages(uiMessages);
  const describe = useErrorText();
  return (
    <Page title={t.crashed}>
      <EmptyState icon={CircleAlert} text={describe(error)}>
        <Button onClick={reset}>{ui.retry}</Button>
      </EmptyState>
    </Page>
  );
}
