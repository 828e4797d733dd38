import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env } from 'node:process';

// Loaded before a process's own code (`--import`). Redirects connections of the process through proxies. PROXIES
// contains JSON: `{<process>: {<setting>: <port of the proxy>}}`. The port in each setting is replaced by that of the
// proxy. The original port is written to `<PROXIES_DIR>/<process>.<setting>`, so that the proxy can connect to it. All
// addresses are on 127.0.0.1.
const proxies = JSON.parse(env['PROXIES']!) as Record<string, Record<string, number>>;
const name = argv[2] ?? '';

for (const [setting, port] of Object.entries(proxies[name] ?? {})) {
  const address = env[setting]!;
  writeFileSync(join(env['PROXIES_DIR']!, `${name}.${setting}`), /127\.0\.0\.1:(\d+)/.exec(address)![1]!);
  // A driver that discovers the replica set would bypass the proxy.
  env[setting] = address
    .replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)
    .replace(/\breplicaSet=\w+/, 'directConnection=true');
}
