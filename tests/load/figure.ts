/** Target of a figure. It applies to the ratio if the figure has a baseline, otherwise to the value. */
export type Bound = { atLeast: number } | { atMost: number } | { exactly: number };

/** One measurement, printed as a row of the table. */
export interface Figure {
  label: string;
  value: number;
  /** Printed after the value: /s, ms, s, MB … */
  unit: string;
  /** A reference value of the same run, measured or predicted, in the same unit. */
  baseline?: { label: string; value: number };
  /** Median of the ratios of all rounds. Defaults to `value / baseline.value`. */
  ratio?: number;
  bound?: Bound;
  note?: string;
}

export interface EvaluatedFigure extends Figure {
  benchmark: string;
  /** Whether the figure meets its bound. Unset if it has none. */
  passed?: boolean;
}

/** Compares a figure with its bound. NaN never meets a bound. */
export function evaluate(benchmark: string, figure: Figure): EvaluatedFigure {
  const { baseline, bound, value } = figure;
  const ratio = baseline ? (figure.ratio ?? value / baseline.value) : undefined;
  const evaluated = { benchmark, ...figure, ...(ratio !== undefined && { ratio }) };
  return bound ? { ...evaluated, passed: passes(ratio ?? value, bound) } : evaluated;
}

function passes(value: number, bound: Bound): boolean {
  if ('atLeast' in bound) return value >= bound.atLeast;
  if ('atMost' in bound) return value <= bound.atMost;
  return value === bound.exactly;
}

const columns = ['', 'figure', 'measured', 'baseline', 'ratio', 'bound', ''];

/** Formats figures as a text table, one row per figure, with notes below. */
export function table(figures: EvaluatedFigure[]): string {
  const rows = figures.map((figure, i) => [
    figures[i - 1]?.benchmark === figure.benchmark ? '' : figure.benchmark,
    figure.label,
    amount(figure.value, figure.unit),
    figure.baseline ? `${amount(figure.baseline.value, figure.unit)} ${figure.baseline.label}` : '',
    figure.ratio === undefined ? '' : figure.ratio.toFixed(2),
    figure.bound ? boundText(figure.bound) : '',
    figure.passed === undefined ? '' : figure.passed ? 'pass' : 'FAIL',
  ]);
  const widths = columns.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (row: string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  const notes = figures.flatMap(({ label, note }) => (note ? [`  ${label}: ${note}`] : []));
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), '', ...notes].join('\n');
}

function boundText(bound: Bound): string {
  if ('atLeast' in bound) return `>= ${bound.atLeast}`;
  if ('atMost' in bound) return `<= ${bound.atMost}`;
  return `= ${bound.exactly.toLocaleString('en')}`;
}

function amount(value: number, unit: string): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit.startsWith('/') || unit === '' ? text + unit : `${text} ${unit}`;
}
