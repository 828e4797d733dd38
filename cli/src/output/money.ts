/** Returns an amount in whole units of a currency (ISO 4217) as text: "Rp 149,000", "$9", "-$4.50". */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  })
    .format(amount)
    .replace(/\s/g, ' ');
