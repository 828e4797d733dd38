import { execFile } from 'node:child_process';
import { accessSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { alerts, type Series } from './alerts.js';
import { folder } from './files.js';
import { groups, type Group } from './rules.js';
import { slos } from './slos.js';

const rules = join(folder, 'prometheus-rules.yaml');
const scratch = await mkdtemp(join(tmpdir(), 'tautan-rules-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const run = promisify(execFile);
const promtool = (...args: string[]) => run('promtool', args, { maxBuffer: 1e8 });
const isInstalled = process.env['PATH']!.split(delimiter).some((path) => {
  try {
    return accessSync(join(path, 'promtool')) === undefined;
  } catch {
    return false;
  }
});

interface Expectation {
  title: string;
  alert: string;
  series: Series[];
  at: string;
  /** Severities and labels of the alerts that fire. */
  fires: { severity: string; labels?: Record<string, string> }[];
}

/**
 * Runs expectations as unit tests of promtool. The rules are evaluated once per `evaluationInterval`.
 * https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/
 */
async function unitTest(group: Group, evaluationInterval: string, expectations: Expectation[]): Promise<void> {
  const tests = expectations.map(({ title, alert, series, at, fires }) => ({
    name: title,
    interval: '2m',
    input_series: series.map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: at,
        alertname: alert,
        exp_alerts: fires.map(({ severity, labels }) => ({
          exp_labels: { severity, ...labels },
          exp_annotations: group.rules.find((rule) => rule.alert === alert)!.annotations,
        })),
      },
    ],
  }));
  const file = join(scratch, `${Math.random()}.yaml`);
  // Only this group, because promtool evaluates all rules of a file in each test. JSON is valid YAML.
  const rulesFile = join(scratch, `${group.name}.yaml`);
  await writeFile(rulesFile, JSON.stringify({ groups: [group] }));
  await writeFile(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: evaluationInterval, tests }));
  await promtool('test', 'rules', file);
}

/**
 * Returns the series that the objective with this id measures, for 80 hours with 10,000 events every two minutes. Of
 * each 10,000 events, `bad` are bad, or `recently.bad` during the last `recently.minutes`.
 */
function events(id: string, bad: number, recently: { bad: number; minutes: number }): Series[] {
  const [earlySteps, lateSteps] = [(80 * 60 - recently.minutes) / 2, recently.minutes / 2];
  const counts = (early: number, late: number): string =>
    `0+${early}x${earlySteps} ${early * earlySteps + late}+${late}x${lateSteps - 1}`;
  const [badValues, allValues, goodValues] = [
    counts(bad, recently.bad),
    counts(10_000, 10_000),
    counts(10_000 - bad, 10_000 - recently.bad),
  ];
  const histogram = (metric: string, le: string): Series[] => [
    [`${metric}_bucket{le="${le}"}`, goodValues],
    [`${metric}_count`, allValues],
  ];
  const series: Record<string, Series[]> = {
    redirect_errors: [
      ['tautan_redirects_total{result="redirect"}', goodValues],
      ['tautan_redirects_total{result="error"}', badValues],
    ],
    redirect_latency: histogram('tautan_redirect_duration_seconds', '0.01'),
    api_errors: [
      ['tautan_http_request_duration_seconds_count{status="200",code="OK"}', goodValues],
      ['tautan_http_request_duration_seconds_count{status="500",code="INTERNAL_ERROR"}', badValues],
      ['tautan_http_request_duration_seconds_count{status="503",code="NOT_CONFIGURED"}', counts(500, 500)],
    ],
    click_lag: histogram('tautan_click_lag_seconds', '5'),
    webhook_delay: histogram('tautan_webhook_first_attempt_delay_seconds', '10'),
  };
  return series[id]!;
}

(isInstalled ? describe : describe.skip)('with promtool', () => {
  test('the rules are valid', async () => {
    expect((await promtool('check', 'rules', rules)).stdout).toContain('SUCCESS');
  });

  test('every alert of the group tautan-causes fires under its condition, and is quiet otherwise', async () => {
    await unitTest(
      groups.find(({ name }) => name === 'tautan-causes')!,
      '2m',
      alerts.flatMap(({ name, severity, fires, quiet }) => {
        const at = name === 'TautanUsageDrift' ? '170m' : '118m';
        return [
          ...[fires].flat().map(({ series, labels }) => ({
            title: `${name} fires with ${JSON.stringify(labels)}`,
            alert: name,
            series,
            at,
            fires: [{ severity, labels }],
          })),
          { title: `${name} is quiet`, alert: name, series: quiet, at, fires: [] },
        ];
      }),
    );
  }, 120_000);

  test.each(slos)(
    '$alert fires only while its error budget burns too fast',
    async ({ id, alert, objective }) => {
      const budget = Math.round(10_000 * (1 - objective));
      const badAt = (burnRate: number): number => Math.ceil(budget * burnRate);
      const page = { severity: 'page' };
      const ticket = { severity: 'ticket' };
      const cases: Omit<Expectation, 'alert'>[] = [
        {
          title: 'within its budget',
          series: events(id, 0, { bad: Math.floor(budget / 2), minutes: 60 }),
          at: '80h',
          fires: [],
        },
        {
          title: 'fast burn for over an hour',
          series: events(id, 0, { bad: badAt(16), minutes: 76 }),
          at: '80h',
          fires: [page],
        },
        {
          title: 'before a fast burn begins',
          series: events(id, 0, { bad: badAt(16), minutes: 76 }),
          at: '78h',
          fires: [],
        },
        {
          title: 'burn rate of 7 for over six hours',
          series: events(id, 0, { bad: badAt(7), minutes: 400 }),
          at: '80h',
          fires: [page],
        },
        {
          title: 'slow burn for three days',
          series: events(id, badAt(2), { bad: badAt(2), minutes: 60 }),
          at: '80h',
          fires: [ticket],
        },
        {
          title: 'slow burn that has ended',
          series: events(id, badAt(2), { bad: 0, minutes: 420 }),
          at: '80h',
          fires: [],
        },
      ];
      const group = groups.find(({ rules: [first] }) => first!.record?.startsWith(`tautan:${id}:`))!;
      await unitTest(
        group,
        '20m',
        cases.map((each) => ({ alert, ...each })),
      );
    },
    180_000,
  );
});
