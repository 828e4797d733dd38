import { request } from 'node:http';

/** A browser's user agent, which counts as human. */
export const HUMAN =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
export const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export interface Visit {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface VisitOptions {
  method?: string;
  userAgent?: string | null;
  headers?: Record<string, string>;
}

/** Requests a short link. Sends the path unchanged and does not follow the redirect. */
export function visit(origin: string, path: string, options: VisitOptions = {}): Promise<Visit> {
  const { hostname, port } = new URL(origin);
  const userAgent = options.userAgent === undefined ? HUMAN : options.userAgent;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: hostname,
        port,
        path,
        method: options.method ?? 'GET',
        headers: { ...(userAgent !== null && { 'user-agent': userAgent }), ...options.headers },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
