import { useNavigate } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { BackLink } from '../../ui/back-link.js';
import { Button } from '../../ui/button.js';
import { changedFields, type LoadedFields } from '../../ui/changed-fields.js';
import { Form, FormActions, textOf } from '../../ui/form.js';
import { expiryIn, LimitFields, maxIn } from '../../ui/limit-fields.js';
import { uiMessages } from '../../ui/messages.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { UnsavedChanges } from '../../ui/unsaved-changes.js';
import { tagsIn } from '../links/tags-in-text.js';
import { ContentFields } from './content-fields.js';
import { DownloadCard } from './download-card.js';
import { LogoField } from './logo-field.js';
import { qrMessages } from './messages.js';
import { Preview, type Design } from './preview.js';
import { QrActions } from './qr-actions.js';
import {
  useCreateQrCode,
  useQrCode,
  useUpdateQrCode,
  useUploadLogo,
  type QrCode,
  type QrCodeChange,
} from './qr-codes.js';
import styles from './qr.module.css';
import { newRoute, qrRoute } from './routes.js';
import { Section } from './section.js';
import { StyleFields } from './style-fields.js';
import { defaultStyle, storedStyle, styleChange, styleFields, type Style } from './style.js';

const fields = ['url', 'linkId', 'title', 'tags', 'expiresAt', 'maxScans'];

/** Returns the names of the fields that the form can show, without those of the gradient if the style has none. */
const fieldsFor = ({ gradient }: Style): string[] => [
  ...fields,
  ...styleFields.filter((name) => gradient || name !== 'styleConfig.gradient'),
];

/** Returns the complete style of a QR code; the default style for a new one. */
const styleOf = (code: QrCode | undefined): Style => ({
  ...defaultStyle,
  ...(code?.styleConfig as Partial<Style> | undefined),
});

/** Returns the form's values except the destination. `loaded` is the QR code with which the form was loaded, if any. */
const detailsIn = (values: FormData, { style, logoRunRef }: Design, loaded?: Pick<QrCode, 'expiresAt'>) => ({
  title: textOf(values, 'title') || null,
  tags: tagsIn(textOf(values, 'tags')),
  ...expiryIn(values, loaded?.expiresAt),
  maxScans: maxIn(values, 'maxScans'),
  styleConfig: storedStyle(style, logoRunRef !== null),
  logoRunRef,
});

/** The page for creating a QR code. Viewers see a notice that they have no access. */
export function NewQrPage() {
  const t = useMessages(qrMessages);
  const ui = useMessages(uiMessages);
  const canEdit = useCan('member');
  const navigate = useNavigate();
  const { mutate, error, isPending } = useCreateQrCode();
  const { link } = newRoute.useSearch();
  const create = (values: FormData, design: Design): void => {
    const target = values.has('url') ? { url: textOf(values, 'url') } : { linkId: textOf(values, 'linkId') };
    mutate(
      { ...target, ...detailsIn(values, design) },
      {
        onSuccess: ({ id }) => {
          toast(t.created);
          void navigate({ to: '/qr-codes/$id', params: { id }, ignoreBlocker: true });
        },
      },
    );
  };
  return (
    <Page title={t.newTitle}>
      <BackLink to="/qr-codes">{t.back}</BackLink>
      {canEdit ? (
        <Studio linkId={link} error={error} pending={isPending} action={t.createAction} onSubmit={create} />
      ) : (
        <EmptyState icon={Lock} title={ui.forbidden} text={ui.forbiddenHint} />
      )}
    </Page>
  );
}

/** The page of a QR code: its image, and the form for its destination, limits and style. */
export function EditQrPage() {
  const t = useMessages(qrMessages);
  const { id } = qrRoute.useParams();
  const query = useQrCode(id);
  const code = query.data;
  return (
    <Page
      title={code ? (code.title ?? code.slug) : t.code}
      {...(code && { lead: code.shortUrl })}
      actions={code && <QrActions code={code} />}
    >
      <BackLink to="/qr-codes">{t.back}</BackLink>
      <Loaded query={query}>{(found) => <Editor key={found.id} code={found} />}</Loaded>
    </Page>
  );
}

type LoadedCode = LoadedFields<QrCodeChange> & Pick<QrCode, 'expiresAt'> & { styleConfig: Style };

function Editor({ code }: { code: QrCode }) {
  const t = useMessages(qrMessages);
  const { mutate, error, isPending } = useUpdateQrCode(code.id);
  const [loaded, setLoaded] = useState<LoadedCode>({ ...code, styleConfig: styleOf(code) });
  const save = (values: FormData, design: Design, onSaved: () => void): void => {
    const target = code.linkId === null ? { url: textOf(values, 'url') } : {};
    const { styleConfig, ...details } = detailsIn(values, design, loaded);
    const restyled = styleChange(styleConfig, loaded.styleConfig);
    const changes = {
      ...changedFields({ ...target, ...details }, loaded),
      ...(Object.keys(restyled).length > 0 && { styleConfig: restyled }),
    };
    const onSuccess = (): void => {
      setLoaded({ ...loaded, ...changes, styleConfig });
      onSaved();
      toast(t.saved);
    };
    mutate(changes, { onSuccess });
  };
  return <Studio code={code} error={error} pending={isPending} action={t.save} onSubmit={save} />;
}

interface StudioProps {
  code?: QrCode;
  linkId?: string | undefined;
  error: unknown;
  pending: boolean;
  action: string;
  onSubmit: (values: FormData, design: Design, onSaved: () => void) => void;
}

/**
 * The form of a QR code beside its preview and, for an existing code, its downloads. Refetching the QR code does not
 * change the values that the user can edit. Viewers do not see the form.
 */
function Studio({ code, linkId, error, pending, action, onSubmit }: StudioProps) {
  const t = useMessages(qrMessages);
  const canEdit = useCan('member');
  const [initial] = useState(code);
  const [style, setStyle] = useState(styleOf(code));
  const [logoRunRef, setLogo] = useState(code?.logoRunRef ?? null);
  const upload = useUploadLogo();
  const [edits, setEdits] = useState(0);
  const [savedEdits, setSavedEdits] = useState(0);
  const isChanged = edits !== savedEdits;
  const countEdit = (): void => setEdits((count) => count + 1);
  const change = (part: Partial<Style>): void => {
    countEdit();
    setStyle((current) => ({ ...current, ...part }));
  };
  const changeLogo = (logo: string | null): void => {
    countEdit();
    setLogo(logo);
  };
  return (
    <div className={styles['studio']}>
      <UnsavedChanges exist={isChanged} />
      {canEdit && (
        <Form
          error={error}
          fields={fieldsFor(style)}
          onSubmit={(values) => onSubmit(values, { style, logoRunRef }, () => setSavedEdits(edits))}
          onChange={countEdit}
        >
          <ContentFields code={initial} url={code?.url} linkId={linkId} />
          <Section title={t.limits}>
            <LimitFields
              expiresAt={initial?.expiresAt ?? null}
              max={{ name: 'maxScans', label: t.maxScans, value: initial?.maxScans ?? null }}
            />
          </Section>
          <StyleFields style={style} hasLogo={logoRunRef !== null} onChange={change} />
          <LogoField
            logoRunRef={logoRunRef}
            scale={style.logoScale}
            upload={upload}
            onLogo={changeLogo}
            onChange={change}
          />
          <FormActions>
            <Button variant="primary" type="submit" disabled={pending || upload.isPending}>
              {action}
            </Button>
          </FormActions>
        </Form>
      )}
      <div className={styles['aside']}>
        <Preview design={{ style, logoRunRef }} {...(code && { id: code.id })} />
        {code && <DownloadCard code={code} isChanged={isChanged} />}
      </div>
    </div>
  );
}
