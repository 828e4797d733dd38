import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useLanguage } from '../i18n/language.js';
import { focusHeading } from '../ui/page.js';
import { Toaster } from '../ui/toast.js';

/** The frame of all pages: sets the document's language, shows toasts, and focuses the heading after navigation. */
export function Root() {
  const language = useLanguage();
  const router = useRouter();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusHeading();
      }),
    [router],
  );
  return (
    <>
      <Outlet />
      <Toaster />
    </>
  );
}
