export { buildSite } from './build.js';
export { cliCommands } from './cli-commands.js';
