// Amounts in these currencies are in whole units. Amounts in all other currencies, including IDR, are treated as
// hundredths: currencies with three decimals are not supported. https://docs.stripe.com/currencies
const zeroDecimalCurrencies = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const locales: Record<string, string> = { IDR: 'id-ID' };
const HUNDREDTHS = 100;

/** Returns a formatted amount, such as `Rp 149.000` or `$9.00`. */
export function moneyText(amount: number, currency: string): string {
  const code = currency.toUpperCase();
  const hasHundredths = !zeroDecimalCurrencies.includes(code);
  const value = hasHundredths ? amount / HUNDREDTHS : amount;
  // Omit the hundredths of a rupiah if they are zero.
  const digits = !hasHundredths || (code === 'IDR' && Number.isInteger(value)) ? 0 : 2;
  return new Intl.NumberFormat(locales[code] ?? 'en-US', {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}
