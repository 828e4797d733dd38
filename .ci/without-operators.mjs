// Copies a YAML stream from standard input without the kinds that only operators define.
import { parseAllDocuments } from 'yaml';

const operators = /^(cert-manager\.io|gateway\.networking\.k8s\.io|monitoring\.coreos\.com)\//;
let text = '';
for await (const chunk of process.stdin) text += chunk;
const kept = parseAllDocuments(text).filter((each) => each.contents && !operators.test(each.get('apiVersion')));
process.stdout.write(kept.map(String).join('---\n'));
