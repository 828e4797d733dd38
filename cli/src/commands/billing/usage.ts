import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { nextReset, usageLegend, usageTable } from '../../output/usage.js';

export const showUsage = command({
  name: 'usage',
  summary: 'Show how much of each plan limit is used',
  run: async ({ api, terminal: { print, printJson, style, width }, json, suggest }) => {
    const usage = await api().get('/billing/usage');
    if (json) return printJson(usage);
    print(`${style.bold(`${printable(usage.plan)} plan`)}\n`);
    print(usageTable(usage, style, width));
    print(`\nMonthly limits reset on ${nextReset(usage.period)} (UTC).`);
    const legend = usageLegend(usage, style);
    if (legend) print(`${legend}\nCompare the plans with: ${suggest('billing plans')}`);
  },
});
