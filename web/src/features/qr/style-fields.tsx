import { useMessages } from '../../i18n/messages.js';
import { SelectField, TextField } from '../../ui/form.js';
import { ColorField } from './color-field.js';
import { qrMessages } from './messages.js';
import styles from './qr.module.css';
import { Section } from './section.js';
import { corrections, dotStyles, gradientTypes, markerShapes, type Style } from './style.js';

interface StyleFieldsProps {
  style: Style;
  hasLogo: boolean;
  onChange: (part: Partial<Style>) => void;
}

/** The colors and shapes of a QR code. */
export function StyleFields({ style, hasLogo, onChange }: StyleFieldsProps) {
  const t = useMessages(qrMessages);
  return (
    <>
      <Section title={t.colors}>
        <Colors style={style} onChange={onChange} />
        <Gradient style={style} onChange={onChange} />
      </Section>
      <Section title={t.shape}>
        <div className={styles['pair']}>
          <Choice
            label={t.dotStyle}
            name="dotStyle"
            names={t.dotStyles}
            value={style.dotStyle}
            values={dotStyles}
            onChange={(dotStyle) => onChange({ dotStyle })}
          />
          <Choice
            label={t.errorCorrection}
            name="errorCorrection"
            names={t.corrections}
            value={hasLogo ? 'H' : style.errorCorrection}
            values={corrections}
            {...(hasLogo && { hint: t.correctionWithLogo, disabled: true })}
            onChange={(errorCorrection) => onChange({ errorCorrection })}
          />
          <Choice
            label={t.markerBorder}
            name="markerBorder"
            names={t.markerShapes}
            value={style.markerBorder}
            values={markerShapes}
            onChange={(markerBorder) => onChange({ markerBorder })}
          />
          <Choice
            label={t.markerCenter}
            name="markerCenter"
            names={t.markerShapes}
            value={style.markerCenter}
            values={markerShapes}
            onChange={(markerCenter) => onChange({ markerCenter })}
          />
          <NumberField
            label={t.size}
            name="size"
            value={style.size}
            range={[64, 2_048]}
            onChange={(size) => onChange({ size })}
          />
          <NumberField
            label={t.margin}
            name="margin"
            value={style.margin}
            range={[0, 16]}
            onChange={(margin) => onChange({ margin })}
          />
        </div>
      </Section>
    </>
  );
}

function Colors({ style, onChange }: Omit<StyleFieldsProps, 'hasLogo'>) {
  const t = useMessages(qrMessages);
  const { foreground, background, markerColor } = style;
  const isTransparent = background === 'transparent';
  // While the markers have the foreground color, they change with it.
  const setForeground = (color: string): void =>
    onChange({ foreground: color, ...(markerColor === foreground && { markerColor: color }) });
  return (
    <>
      <div className={styles['pair']}>
        <ColorField name="styleConfig.foreground" label={t.foreground} value={foreground} onChange={setForeground} />
        <ColorField
          name="styleConfig.markerColor"
          label={t.markerColor}
          value={markerColor}
          onChange={(color) => onChange({ markerColor: color })}
        />
        {!isTransparent && (
          <ColorField
            name="styleConfig.background"
            label={t.background}
            value={background}
            onChange={(color) => onChange({ background: color })}
          />
        )}
      </div>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={isTransparent}
          onChange={({ target }) => onChange({ background: target.checked ? 'transparent' : '#ffffff' })}
        />
        {t.transparent}
      </label>
    </>
  );
}

function Gradient({ style: { gradient, foreground }, onChange }: Omit<StyleFieldsProps, 'hasLogo'>) {
  const t = useMessages(qrMessages);
  const initial: NonNullable<Style['gradient']> = { type: 'linear', angle: 45, colors: [foreground, '#0f4c81'] };
  const set = (part: Partial<typeof initial>): void => onChange({ gradient: { ...(gradient ?? initial), ...part } });
  return (
    <>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={gradient !== null}
          onChange={({ target }) => onChange({ gradient: target.checked ? initial : null })}
        />
        {t.gradient}
      </label>
      {gradient && (
        <div className={styles['pair']}>
          <ColorField
            name="styleConfig.gradient.colors.0"
            label={t.gradientFrom}
            value={gradient.colors[0]}
            onChange={(color) => set({ colors: [color, gradient.colors[1]] })}
          />
          <ColorField
            name="styleConfig.gradient.colors.1"
            label={t.gradientTo}
            value={gradient.colors[1]}
            onChange={(color) => set({ colors: [gradient.colors[0], color] })}
          />
          <Choice
            label={t.gradientType}
            name="gradient.type"
            names={t.gradientTypes}
            value={gradient.type}
            values={gradientTypes}
            onChange={(type) => set({ type })}
          />
          <NumberField
            label={t.angle}
            name="gradient.angle"
            value={gradient.angle}
            range={[0, 360]}
            onChange={(angle) => set({ angle })}
          />
        </div>
      )}
    </>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  label: string;
  hint?: string;
  /** The label of each value. */
  names: Record<T, string>;
  value: T;
  values: readonly T[];
  disabled?: boolean;
  onChange: (value: T) => void;
}

function Choice<T extends string>({ name, names, values, onChange, ...rest }: ChoiceProps<T>) {
  return (
    <SelectField name={`styleConfig.${name}`} {...rest} onChange={({ target }) => onChange(target.value as T)}>
      {values.map((each) => (
        <option key={each} value={each}>
          {names[each]}
        </option>
      ))}
    </SelectField>
  );
}

interface NumberFieldProps {
  name: string;
  label: string;
  value: number;
  range: [number, number];
  onChange: (value: number) => void;
}

/** A field for a whole number. Values outside `range` are ignored, so that the preview keeps the last valid value. */
const NumberField = ({ name, label, value, range: [min, max], onChange }: NumberFieldProps) => (
  <TextField
    name={`styleConfig.${name}`}
    label={label}
    type="number"
    min={min}
    max={max}
    defaultValue={value}
    onChange={({ target }) => {
      const number = target.valueAsNumber;
      if (Number.isInteger(number) && number >= min && number <= max) onChange(number);
    }}
    onBlur={({ target }) => {
      target.value = String(value);
    }}
  />
);
